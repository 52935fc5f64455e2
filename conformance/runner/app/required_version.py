"""Answers whether this environment has the version of a distribution that requirements ask for, by pip's own library.

Prints `unneeded` when no requirement applies here, or one names an address; else `present` or `absent`. Arguments: the
distribution, requirements as in pyproject.toml.
"""

import sys
from importlib import metadata

from pip._vendor.packaging.requirements import InvalidRequirement, Requirement
from pip._vendor.packaging.utils import canonicalize_name

name, *texts = sys.argv[1:]
wanted = []
for text in texts:
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        continue
    applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    if applies and canonicalize_name(requirement.name) == canonicalize_name(name):
        wanted.append(requirement)


def answer() -> str:
    """Return what is printed."""
    if not wanted or any(each.url for each in wanted):
        return "unneeded"
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return "absent"
    return "present" if all(each.specifier.contains(version, prereleases=True) for each in wanted) else "absent"


print(answer())
