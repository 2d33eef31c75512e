#!/bin/sh
# install.sh FOLDER ARGUMENTS: pip install into that environment; a hiccup of the registry is answered by one more try.
set -eu
folder=$1
shift
pip() { "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }
pip "$@" || {
    echo "the installation failed; once more in ten seconds" >&2
    sleep 10
    pip "$@"
}
