"""Prints the names that Python keeps for itself, as one JSON array: keywords and modules of the standard library."""

import json
import keyword
import sys

print(json.dumps(sorted({*keyword.kwlist, *sys.stdlib_module_names})), end="")
