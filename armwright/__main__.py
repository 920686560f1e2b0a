"""Run the command line as ``python -m armwright``."""

from armwright.cli import main

main()
