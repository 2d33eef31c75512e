#!/bin/sh
# check_scripts.sh: types (tsc --checkJs --strict) and linter (eslint) of the page's scripts. Both need node, which nothing
# else here does; a machine without it says so and goes on, the continuous integration has it.
set -eu
cd "$(dirname "$0")/.."
if ! command -v npm >/dev/null 2>&1; then
    echo "no node here: the page's scripts are NOT checked by tsc and eslint (the CI does it)"
    exit 0
fi
stamp=node_modules/.stamp
if [ ! -e "$stamp" ] || [ package-lock.json -nt "$stamp" ]; then
    npm ci --silent --no-audit --no-fund
    touch "$stamp"
fi
npm run --silent check
