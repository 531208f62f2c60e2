# Everything is done from here; only Python 3.11 or later, pip and make are needed beforehand.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
PEERS := .peers
TRAIN := .train
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PACKAGES := docduck dagster_docduck orchestration assets resources
PROGRAMS := api cli client dagster_docduck mcp orchestration server system web workers
# These tests only compute: there is nothing to race with.
COMPUTING := documents exports extraction templates tools
PYTEST := $(BIN)/python -m pytest -q -p tests.reruns
PARALLEL := $(PYTEST) --dist worksteal -n
# A docduck mostly waits; those of one file use the same.
SYSTEM := $(PYTEST) --dist loadfile -n 2
SYSTEM_PACKAGES := postgresql chromium redis-server dovecot-imapd libgomp1

.DEFAULT_GOAL := help
.PHONY: help run setup test test-fast test-changed test-all races check bench train system-deps lock clean

help:  ## Show these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

run: setup  ## Start docduck with sample documents; Ctrl-C stops it
	@$(BIN)/docduck up --samples

setup: $(READY)  ## Make the virtual environment, from requirements.lock

$(READY): requirements.lock pyproject.toml
	@[ -n "$(PYTHON)" ] || { echo "Python 3.11 or later is needed: install it, or name it: make PYTHON=…"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is too old, Python 3.11 or later is needed: make PYTHON=…"; exit 1; }
	@echo "Setting up $(VENV) (once, a few minutes) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@# Compiled by all cores, which pip does by one. Some libraries have templates that are no programs.
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
	@# The first documents are waited for: the processes that read them need not compile it.
	@$(BIN)/python -m compileall -q -j 0 $(PACKAGES)
	@touch $(READY)

test: setup  ## Run the linters and the tests, in a quarter of an hour
	@$(MAKE) --no-print-directory --jobs 2 check compile-tests
	@$(PARALLEL) 4 -m "not extended" --ignore tests/system
	@$(PYTEST) -m "not extended" tests/system

# Once, while mypy takes one core, as each of the processes that run the tests would.
compile-tests: setup
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q --collect-only >$(VENV)/collected || { cat $(VENV)/collected; exit 1; }

test-fast: setup  ## Run the tests that take no second and need nothing running, in two minutes
	@$(PARALLEL) 2 -m "not slow and not installed and not browser and not postgres and not extended" \
		$(addprefix --ignore=tests/,$(PROGRAMS))

# By default, BASE is where this branch left the main one. Pytest ends with 5 if no chosen file has an extended test.
test-changed: setup  ## Run the extended tests of what has changed since the commit BASE
	@$(BIN)/python -m tests.selection parallel $(BASE) >$(VENV)/chosen
	@$(BIN)/python -m tests.selection system $(BASE) >$(VENV)/chosen-system 2>/dev/null
	@[ ! -s $(VENV)/chosen ] || $(PARALLEL) 4 -m extended @$(VENV)/chosen || [ $$? = 5 ]
	@[ ! -s $(VENV)/chosen-system ] || $(SYSTEM) -m extended @$(VENV)/chosen-system || [ $$? = 5 ]

test-all: setup check  ## Run the linters and all tests, extended ones too, before a release
	@$(PARALLEL) 4 --ignore tests/system
	@$(SYSTEM) tests/system

races: setup  ## Look for races: run the tests with delayed timers, on a busy machine
	@$(BIN)/python -m pytest -q -p tests.races --timeout 1200 --dist worksteal -n 2 -m "not extended" \
		$(addprefix --ignore=tests/,system $(COMPUTING))

check: setup  ## Run ruff, mypy and import-linter, check licences, and count numbers set by hand
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.licences
	@$(BIN)/python -m tests.decimals

bench: setup $(PEERS)/.ready  ## Measure speed and memory, beside others
	@$(BIN)/python -m tests.benchmarks

$(PEERS)/.ready: tests/benchmarks/peers.txt
	@echo "Setting up $(PEERS), what docduck is measured against (once) …"
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/benchmarks/peers.txt
	@touch $(PEERS)/.ready

train: setup $(TRAIN)/.ready  ## Draw made-up looks, train the page network on them, and fit confidence (an hour)
	@PYTHONPATH=$(TRAIN) $(BIN)/python -m tools.looks.train
	@$(BIN)/python -m tools.training.chooser_fit
	@$(BIN)/python -m tools.training.confidence_fit

$(TRAIN)/.ready: tools/requirements.txt
	@echo "Setting up $(TRAIN), what training needs (once) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(TRAIN) -r tools/requirements.txt
	@touch $(TRAIN)/.ready

system-deps:  ## Install what some tests need: PostgreSQL, Redis, Dovecot, Chromium and Firefox (Debian, Ubuntu)
	@command -v apt-get >/dev/null || { echo "There is no apt-get here: install PostgreSQL, Redis, Dovecot, Chromium and Firefox" \
		"with this system's own package manager"; exit 1; }
	@[ -z "$(SUDO)" ] || command -v sudo >/dev/null || { echo "Installing packages needs root or sudo"; exit 1; }
	@$(SUDO) apt-get update -qq
	@$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(SYSTEM_PACKAGES) \
		$$(apt-cache show firefox-esr >/dev/null 2>&1 && echo firefox-esr)

lock: setup  ## Resolve the dependencies anew into requirements.lock
	@$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--extra dev --extra postgres --extra redis --extra lake --extra traces --extra model --extra fit --no-emit-index-url --no-header pyproject.toml -o requirements.lock

clean:  ## Remove the virtual environment and caches; data/ stays
	rm -rf $(VENV) $(PEERS) $(TRAIN) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
