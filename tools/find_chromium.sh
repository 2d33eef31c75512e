#!/bin/sh
# find_chromium.sh FOLDER: a Chromium for the browser tests. One that is installed is taken; else Debian's package where
# that is possible; else the one that Playwright of the environment FOLDER fetches. Without any the browser tests are
# skipped, and this says so.
set -u
folder=$1

for name in ${CHROMIUM:-} chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done

if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    export DEBIAN_FRONTEND=noninteractive
    for try in 1 2; do
        apt-get update -q </dev/null && apt-get install -y -q chromium fonts-inter </dev/null && exit 0
        [ "$try" = 2 ] || sleep 10
    done
fi

if "$folder/bin/python" -m playwright install chromium </dev/null; then exit 0; fi

cat >&2 <<'MESSAGE'
----------------------------------------------------------------------------------------------------
No Chromium here and none could be fetched: the tests that drive the page in a browser will be SKIPPED.
Install one (Debian and Ubuntu: sudo apt-get install chromium) or name it: make CHROMIUM=/path/to/chrome test
----------------------------------------------------------------------------------------------------
MESSAGE
exit 1
