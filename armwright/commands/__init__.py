"""The commands of the command line, one file each; ``armwright.cli`` puts them together.

A command is a function of what was typed that returns a ``Report`` (output.py): one object for
``--json``, the same for people, and the exit code. It raises what it cannot do; ``armwright.cli``
alone prints and exits. Heavy packages are imported inside the functions, so ``--help`` is quick.
"""
