# make convoy: set up, run the convoy, print the metrics.   make test: set up, run all tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: convoy test lint benchmark figures clean

convoy: $(READY)
	$(BIN)/devs-robotics run convoy --out out/convoy

test: $(READY)
	$(BIN)/python -m pytest -n auto

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmark: $(READY)
	$(BIN)/python -m tests.benchmarks.kernel
	$(BIN)/python -m tests.benchmarks.observing
	$(BIN)/python -m tests.benchmarks.convoy
	$(BIN)/python -m tests.benchmarks.sweeping
	$(BIN)/python -m tests.benchmarks.round_trip
	$(BIN)/python -m tests.benchmarks.lateness

figures: $(READY)
	$(BIN)/python -m scenarios.paper_figures --out out/figures

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "devs-robotics needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,benchmark]'
	touch $(READY)

clean:
	rm -rf $(VENV) out .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info
