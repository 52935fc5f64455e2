"""Answers which versions of Python a specifier admits, by pip's own library.

It exits with 3 for what is no specifier (PEP 440). Arguments: the specifier, versions.
"""

import json
import platform
import sys

from pip._vendor.packaging.specifiers import InvalidSpecifier, SpecifierSet

specifier, *versions = sys.argv[1:]
try:
    wanted = SpecifierSet(specifier)
except InvalidSpecifier:
    sys.exit(3)
own = platform.python_version()
admitted = [version for version in [own, *versions] if wanted.contains(version, prereleases=True)]
json.dump({"own": own, "admitted": admitted}, sys.stdout)
