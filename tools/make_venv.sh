#!/bin/sh
# make_venv.sh FOLDER: a virtual environment there, by the first Python 3.11 or newer that runs. An environment that
# is already there and works is kept. `PYTHON=/path/to/python3` names one.
set -eu
folder=$1
probe='import sys; sys.exit(sys.version_info < (3, 11))'

if [ -x "$folder/bin/python" ] && "$folder/bin/python" -c "$probe" 2>/dev/null && "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    exit 0
fi

chosen=
for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 python; do
    if "$name" -c "$probe" >/dev/null 2>&1; then
        chosen=$name
        break
    fi
done
if [ -z "$chosen" ]; then
    echo "trajekt needs Python 3.11 or newer and found none. Install one (Debian 12 and newer: apt-get install python3" >&2
    echo "python3-venv), or name it: make PYTHON=/path/to/python3 play" >&2
    exit 1
fi

if ! "$chosen" -m venv --clear "$folder"; then
    rm -rf "$folder"
    # Debian keeps ensurepip in a package of its own
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q python3-venv </dev/null || {
            apt-get update -q </dev/null
            DEBIAN_FRONTEND=noninteractive apt-get install -y -q python3-venv </dev/null
        }
        "$chosen" -m venv --clear "$folder"
    elif command -v uv >/dev/null 2>&1; then
        uv venv --seed --python "$chosen" "$folder"
    else
        echo "$chosen cannot make virtual environments. On Debian or Ubuntu: sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi
