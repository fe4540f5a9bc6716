"""Exhaustive solver for the solitaire Royal Rendezvous."""
