# Every target does its own set-up: Python 3.11 or later with venv, and make, are all that is needed.

PYTHON ?= python3
SEED ?= 100000
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.DEFAULT_GOAL := help
.PHONY: help solve test check

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | expand -t 18

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

solve: $(READY)  ## solve a deal: make solve SEED=100000
	@$(BIN)/rr-solve --seed $(SEED)

test: $(READY)  ## run the tests
	$(BIN)/python -m pytest

check: $(READY)  ## ruff and mypy --strict
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
