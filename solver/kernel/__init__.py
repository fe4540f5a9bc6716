"""The compiled search: exact states, the loss bound, successors, and the orders of search."""
