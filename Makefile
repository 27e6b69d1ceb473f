# Two commands: `make demo` and `make test`. Both make .venv; nothing else needs to be installed.
#   PYTHON  an interpreter of version 3.11 or newer
#   INDEX   the URL of a package index of your own, for example one with CPU builds of torch
PYTHON ?= python3
INDEX ?=
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet $(if $(INDEX),--extra-index-url $(INDEX)) -c constraints.txt

CLIENTS := $(basename $(notdir $(wildcard tests/clients/needs/*.txt)))

.PHONY: demo test soak clients bench pictures leaderboard lint docs release clean

demo: .venv/train
	$(BIN)/buck train demo --anew
	$(BIN)/buck tournament demo --anew

test: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not soak"

# SOAK  how long it takes, as in make soak SOAK='--hands 20000 --kills 5 --minutes 2'
SOAK ?=
soak: .venv/dev
	$(BIN)/python -m pytest -m soak $(SOAK)

clients: $(CLIENTS:%=.venv/clients/%/ready)
	$(foreach client,$(CLIENTS),.venv/clients/$(client)/bin/python -m pytest tests/clients/test_$(client).py &&) true

bench: .venv/train
	$(BIN)/buck bench

pictures: .venv/train
	$(BIN)/python -m training.pictures notebooks/pictures

leaderboard: .venv/train
	$(BIN)/python -m training.leaderboard $(OPTIONS)

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# the rooms, as pdoc names them; of constructors that a dataclass makes it shows annotations as they are written
ROOMS := $(subst /,.,$(patsubst %/__init__.py,%,$(wildcard buck_env/*/__init__.py agents/*/__init__.py)))
docs: .venv/docs
	NUMBA_DISABLE_JIT=1 $(BIN)/python -W error -W 'ignore:Error parsing type annotation' \
		-W 'ignore:Failed to run TYPE_CHECKING code' -m pdoc -o build/api buck_env agents $(ROOMS) training
	@echo "open build/api/index.html"

# PYTHONS  the interpreters to try the packages with
PYTHONS ?= python3.11 python3.12 python3.13
release: .venv/dev
	$(BIN)/python .ci/release.py dist --python $(PYTHONS) $(if $(INDEX),--index $(INDEX))

.venv/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/train .venv/dev .venv/docs: .venv/python pyproject.toml constraints.txt
	@echo "installing packages into .venv (once)"
	$(INSTALL) -e '.[$(@F)]'
	touch $@

.venv/clients/%/ready: tests/clients/needs/%.txt pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet $(if $(INDEX),--extra-index-url $(INDEX)) pytest -r $<
	touch $@

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
