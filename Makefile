# Every target does its own set-up: Python 3.11 or later with venv, and make, are all that is needed.

PYTHON ?= python3
SEED ?= 100000
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

# What runs in seconds when kernels are plain Python, or check every index.
KERNEL_TESTS := tests/test_search.py tests/test_perft.py tests/test_solve.py tests/test_hint.py \
  tests/test_difficulty.py

# The published deals: see results/README.md.
FIRST := 100000
LAST := 109999
STATES := 1000000
STORE := runs/first.db

.DEFAULT_GOAL := help
.PHONY: help solve test test-nojit test-bounds test-long check bench bench-compare results \
  certificates fuzz results-check clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | expand -t 14

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

solve: $(READY)  ## solve a deal: make solve SEED=100000
	@$(BIN)/rr-solve --seed $(SEED)

test: $(READY)  ## run the tests
	$(BIN)/python -m pytest

test-nojit: $(READY)  ## run the tests of the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(KERNEL_TESTS)

test-bounds: $(READY)  ## run the tests of the kernels with every array index checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(KERNEL_TESTS)

test-long: $(READY)  ## compare 100,000 small positions with brute force: an hour
	$(BIN)/python -m pytest -m long

check: $(READY)  ## ruff and mypy --strict
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(READY)  ## print the figures; make bench PARTS="speed memory" for some, JSON=FILE to keep them
	$(BIN)/python -m bench.bench $(PARTS) $(if $(JSON),--json $(JSON))

bench-compare: $(READY)  ## measure against another commit: make bench-compare BASE=HEAD
	$(BIN)/python -m bench.against $(BASE) $(ARGS)

results: $(READY)  ## decide the published deals and write tables, plots and lists into results/
	@mkdir -p runs
	$(BIN)/rr-solve batch --seeds $(FIRST)-$(LAST) --rules all --states $(STATES) --store $(STORE)
	$(BIN)/rr-solve stats $(STORE) --plot results/winnability.svg > results/tables.txt
	$(BIN)/rr-solve stats $(STORE) --csv > results/summary.csv
	for rules in wikipedia-strict solsuite till-dawn pysol; do \
	  $(BIN)/rr-solve stats $(STORE) --compare wikipedia $$rules > results/wikipedia-$$rules.txt || exit 1; \
	done
	$(BIN)/rr-solve export $(STORE) -o runs/rows.csv
	grep -v ',winnable,' runs/rows.csv > results/exceptions.csv

certificates: $(READY)  ## prove 300 deals under each preset, check every proof: a quarter of an hour
	@mkdir -p runs
	$(BIN)/rr-solve batch --seeds 100000-100299 --rules all --states 3000000 \
	  --store runs/certificates.db --certificates runs/certificates
	$(BIN)/python -m bench.certificates runs/certificates.db runs/certificates > results/certificates.txt

fuzz: $(READY)  ## change certificates at random and give them to the checkers; make fuzz FUZZ="--seed 2"
	$(BIN)/python -m bench.fuzz $(FUZZ)

results-check: $(READY)  ## decide a random 1,000 of the published rows again
	$(BIN)/python -m bench.results $(FIRST) $(LAST) --states $(STATES)

clean:  ## remove the environment and what tools left behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
