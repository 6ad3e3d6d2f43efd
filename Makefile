# Everything a person or CI does to the tree; nothing runs only in CI.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
RUNS   := $(VENV)/.runs
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: help setup demo test test-long fuzz check format lock bench dashboards docs deb clean

help:            ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: $(STAMP)  ## make the environment and install the product, versions and hashes pinned

$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing the product with the tools of its tests (about 1.2 GB)"
	$(PIP) install --require-hashes --requirement requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q dlp  # where Python may not write its own, every start would compile
	touch $(STAMP) $(RUNS)

# What the product itself needs, as in the Debian package, and a link to this tree.
$(RUNS): systemd/requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing what the product needs to run (about 500 MB)"
	$(PIP) install --no-compile --require-hashes --requirement systemd/requirements.lock
	$(BIN)/python -c 'import os, site; open(os.path.join(site.getsitepackages()[0], "dlp-tree.pth"), "w").write(os.getcwd())'
	printf '#!%s\nimport sys\nfrom dlp.__main__ import run\nsys.exit(run())\n' "$(abspath $(BIN))/python" > $(BIN)/dlp
	chmod 755 $(BIN)/dlp
	touch $(RUNS)

demo: $(RUNS)    ## scan the bundled demo share and show the ranking
	@echo "scanning thirteen invented files"
	@$(BIN)/dlp demo

test: setup      ## the whole suite, under 8 minutes on 2 cores
	$(BIN)/ruff check dlp tests bench dashboards
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist worksteal -q

test-long: setup ## kill loops, big corpora, soak
	$(BIN)/pytest -q -m long --timeout 3600

fuzz: setup      ## ten minutes of coverage-guided fuzzing of all readers
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement tests/fuzz/requirements.txt
	$(BIN)/python -m tests.fuzz

check: setup     ## lint and types only
	$(BIN)/ruff check dlp tests bench dashboards
	$(BIN)/ruff format --check dlp tests bench dashboards
	$(BIN)/mypy

format: setup
	$(BIN)/ruff format dlp tests bench dashboards
	$(BIN)/ruff check --fix dlp tests bench dashboards

lock:            ## pin every dependency with its hashes, for all platforms and Pythons from 3.11
	@# with their extras: pip does not find the pin of "coverage[toml]" behind one of "coverage"
	$(PYTHON) -m pip install --quiet uv
	$(PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-emit-index-url --no-strip-extras --extra dev --extra console --extra postgres --extra dask \
	  --output-file requirements.lock pyproject.toml
	$(PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-emit-index-url --no-strip-extras --extra console --extra postgres \
	  --output-file systemd/requirements.lock pyproject.toml
	echo "atheris==3.0.0" | $(PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-emit-index-url --output-file tests/fuzz/requirements.txt -

bench: setup     ## measure this tree; figures go to bench/RESULTS.md by hand, with the command
	$(BIN)/python -m bench.throughput

dashboards: setup ## write dashboards/*.json again
	$(BIN)/python -m dashboards.generate

deb: setup       ## a Debian package of this tree, in dist/ (needs dpkg-deb)
	systemd/build-deb $(BIN)/python

docs: setup      ## write docs/reference and the man page from the code
	$(BIN)/python -m docs.reference.generate

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
