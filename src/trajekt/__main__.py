"""`python -m trajekt` is the command `trajekt`."""

from trajekt.cli import main

main(prog_name="python -m trajekt")
