"""Answers each JSON string on stdin with null when CPython compiles it, else with the error's message."""

import json
import sys
import warnings

warnings.simplefilter("ignore")

for line in sys.stdin:
    try:
        compile(json.loads(line), "app.py", "exec", dont_inherit=True)
        print("null")
    except (SyntaxError, ValueError) as error:
        print(json.dumps(f"{type(error).__name__}: {error}"))
