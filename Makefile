# The project's few commands. Each sets up what it needs; stamp files under .venv keep repeated calls quick.
#   make play     sets up, starts the table and opens it in the browser      (make play ARGS="--port 9000")
#   make test     sets up with the developers' tools and Chromium, runs every test
#   make check    static checks and the quick tests, under two minutes
#   make coverage the tests of the engine, the rules and the games with coverage by branches; fails under 95 per cent
#   make judge    the judges of the rulebooks against the engine (ARGS="--game ruhr --positions 500")
#   make bench    speed, as figures and as ratios to a fixed loop
#   make docs     builds docs/ into docs/_build/html, warnings are errors
#   make format   lets the formatter and the safe fixes of the linter write
#   make clean    removes everything that the above have made

VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?= -n auto --dist loadfile

.PHONY: play test check coverage judge static lint types layers scripts bench docs format clean
.DELETE_ON_ERROR:

play: $(VENV)/.installed
	$(BIN)/trajekt serve $(ARGS)

test: $(VENV)/.dev $(VENV)/.browser
	$(BIN)/python -m pytest $(PYTEST_ARGS) $(ARGS)

check: static
	$(BIN)/python -m pytest -q -m "not slow and not browser" $(PYTEST_ARGS)

# a part of the tests: those of the page and the server pass through the rules too, and judge them little
COVERING := tests/engine tests/rules tests/games tests/replays tests/i18n tests/rendering tests/bots tests/cli tests/judges \
	tests/test_game.py tests/test_library.py

coverage: $(VENV)/.dev
	rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run -m pytest -q -m "not browser" $(PYTEST_ARGS) $(COVERING)
	$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage json -q -o .coverage.json
	$(BIN)/python tools/branch_coverage.py .coverage.json engine rules games --least 95

judge: $(VENV)/.dev
	$(BIN)/python tools/judge.py $(ARGS)

static: lint types layers scripts

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

scripts:
	sh tools/check_scripts.sh

bench: $(VENV)/.dev
	$(BIN)/python tools/bench.py $(ARGS)

docs: $(VENV)/.dev
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) node_modules docs/_build dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f .coverage .coverage.*
	find src tests tools docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made: tools/make_venv.sh
	sh tools/make_venv.sh $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	sh tools/install.sh $(VENV) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	sh tools/install.sh $(VENV) -e '.[dev]'
	@touch $(VENV)/.installed $@

$(VENV)/.browser: $(VENV)/.dev tools/find_chromium.sh
	@sh tools/find_chromium.sh $(VENV) && touch $@ || true
