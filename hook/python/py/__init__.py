"""The Python side of assent's hooks. Standard library alone, Python 3.9 or newer."""
