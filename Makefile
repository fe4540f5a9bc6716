# Every target does its own set-up: Python 3.11 or later with venv, and make, are all that is needed;
# for results-certificates, xz.

PYTHON ?= python3
SEED ?= 100000
VENV := .venv
CONSTRAINTS := constraints.txt
LOWEST_VENV := .venv-lowest
BIN := $(VENV)/bin
READY := $(VENV)/ready

# What runs in seconds when kernels are plain Python, or check every index.
KERNEL_TESTS := tests/test_search.py tests/test_perft.py tests/test_solve.py tests/test_hint.py \
  tests/test_difficulty.py tests/test_relaxed.py

# The published deals: see results/README.md. Undecided ones are tried again with RETRY_STATES.
FIRST := 100000
LAST := 299999
STATES := 1000000
RETRY_STATES := 20000000
# A million deals under two presets, those above among them.
MILLION_RULES := wikipedia wikipedia-strict
MILLION := 300000-1099999
# Fewer deals under rules with another switch, and with another size of the reserve.
OTHERS_LAST := 119999
OTHERS_STATES := 200000
OTHERS_RETRY_STATES := 2000000
OTHERS := "--kings upper-or-spot" "--transfers" "--rules pysol --no-transfers"
RESERVES := 6 7 8 9 10 11 12 13 14 15 17 18 19 20 21 22
# Proofs of losses: of the first deals whatever they take, then of all others with STATES each, but for
# those of a preset that loses three deals in ten. The plain checker checks proofs of so many states or less.
CERTIFIED_LAST := 109999
CERTIFIED_IN_PART := wikipedia-strict
PLAIN_STATES := 5000
RUNS := runs
STORES := $(RUNS)/presets.db $(RUNS)/million.db
RESULTS := results
PAGES := README.md results/README.md

.DEFAULT_GOAL := help
.PHONY: help solve test test-lowest test-nojit test-bounds test-long check bench bench-compare certificates \
  fuzz clean results results-deals results-million results-others results-tables results-check \
  results-certificates

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | expand -t 24

$(READY): pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[dev]'
	@touch $@

solve: $(READY)  ## solve a deal: make solve SEED=100000
	@$(BIN)/rr-solve --seed $(SEED)

test: $(READY)  ## run the tests
	$(BIN)/python -m pytest

test-lowest:  ## run the tests with the lowest versions that pyproject.toml allows: Python 3.11 or 3.12
	$(MAKE) test VENV=$(LOWEST_VENV) CONSTRAINTS=constraints-lowest.txt

test-nojit: $(READY)  ## run the tests of the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(KERNEL_TESTS)

test-bounds: $(READY)  ## run the tests of all compiled code with every array index checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(KERNEL_TESTS) \
	  tests/test_proof.py tests/test_relaxed_proof.py

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

# Decides deals, then those left undecided: rules, deals, states, states then, name of the store.
decide = $(BIN)/rr-solve batch $(1) --seeds $(2) --states $(3) --store $(RUNS)/$(5) && \
  $(BIN)/rr-solve batch $(1) --retry-unknown --states $(4) --store $(RUNS)/$(5)

results: results-deals results-million results-others  ## decide the published deals and write results/: goes on where it was cut off
	$(MAKE) results-tables

results-deals: $(READY)  ## decide the deals of the five presets, and try the undecided again
	@mkdir -p $(RUNS)
	$(call decide,--rules all,$(FIRST)-$(LAST),$(STATES),$(RETRY_STATES),presets.db)

results-million: $(READY)  ## decide deals up to a million under two presets: hours
	@mkdir -p $(RUNS)
	for rules in $(MILLION_RULES); do \
	  $(call decide,--rules $$rules,$(MILLION),$(STATES),$(RETRY_STATES),million.db) || exit; \
	done

results-others: $(READY)  ## decide deals under other switches and reserves, and try the undecided again
	@mkdir -p $(RUNS)
	for rules in $(OTHERS) $(RESERVES:%="--reserve %"); do \
	  $(call decide,$$rules,$(FIRST)-$(OTHERS_LAST),$(OTHERS_STATES),$(OTHERS_RETRY_STATES),others.db) \
	    || exit; \
	done

results-tables: $(READY)  ## write tables, lists, plots and pages from what is decided
	$(BIN)/python -m bench.tables $(wildcard $(STORES) $(RUNS)/others.db) --into $(RESULTS)
	$(BIN)/python -m bench.naive $(wildcard $(STORES)) --into $(RESULTS)
	$(BIN)/python -m bench.pictures $(RESULTS)
	$(BIN)/python -m bench.page $(RESULTS) $(PAGES)

results-check: $(READY)  ## decide a random 1,000 of the published rows again
	$(BIN)/python -m bench.results $(RESULTS) --states $(STATES)

# Proves losses: rules, a file of deals, states.
prove = $(BIN)/rr-solve batch --rules $(1) --seeds-file $(2) --states $(3) \
  --store $(RUNS)/losses.db --certificates $(RUNS)/losses

results-certificates: $(READY)  ## prove the losses that are published, check every proof: hours
	@mkdir -p $(RUNS)/losses
	for list in $(RESULTS)/unwinnable/*; do \
	  rules=$$(basename $${list%.xz} .txt); \
	  all=$(RUNS)/losses/all.txt first=$(RUNS)/losses/first.txt; \
	  xz -dcf $$list > $$all && awk '$$1 <= $(CERTIFIED_LAST)' $$all > $$first || exit; \
	  ! test -s $$first || $(call prove,$$rules,$$first,$(RETRY_STATES)) || exit; \
	  test $$rules = $(CERTIFIED_IN_PART) || $(call prove,$$rules,$$all,$(STATES)) || exit; \
	done
	$(BIN)/python -m bench.certificates $(RUNS)/losses.db $(RUNS)/losses \
	  --plain-states $(PLAIN_STATES) > $(RUNS)/losses/table.txt
	cp $(RUNS)/losses/table.txt $(RESULTS)/losses.txt

certificates: $(READY)  ## prove 300 deals under each preset, check every proof: some minutes
	@mkdir -p runs
	$(BIN)/rr-solve batch --seeds 100000-100299 --rules all --states 3000000 \
	  --store runs/certificates.db --certificates runs/certificates
	$(BIN)/python -m bench.certificates runs/certificates.db runs/certificates \
	  --plain-states $(PLAIN_STATES) > runs/certificates/table.txt
	cp runs/certificates/table.txt results/certificates.txt

fuzz: $(READY)  ## change certificates at random and give them to the checkers; make fuzz FUZZ="--seed 2"
	$(BIN)/python -m bench.fuzz $(FUZZ)

clean:  ## remove the environment and what tools left behind
	rm -rf $(VENV) $(LOWEST_VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
