"""Lists the files of a wheel, the only argument, by where an installer puts them.

The folders of its `.data` folder are installation schemes: https://packaging.python.org/specifications/binary-
distribution-format
"""

import base64
import configparser
import hashlib
import json
import os
import sys
import sysconfig
import unicodedata
import zipfile

purelib = sysconfig.get_path("purelib")
folders = {scheme: sysconfig.get_path(scheme) for scheme in ("purelib", "platlib", "scripts", "data")}
folders["headers"] = os.path.join(sys.prefix, "include")


def recorded(folder: str, name: str) -> str:
    """A file as RECORD names it."""
    return os.path.relpath(os.path.join(folder, name), purelib).replace(os.sep, "/")


def hash_of(wheel: zipfile.ZipFile, name: str) -> bytes:
    """The SHA-256 of a file, which may be larger than the memory."""
    found = hashlib.sha256()
    with wheel.open(name) as file:
        while chunk := file.read(1 << 20):
            found.update(chunk)
    return found.digest()


class Parser(configparser.ConfigParser):
    """Reads entry points, whose names may have capitals."""

    optionxform = staticmethod(str)  # type: ignore[assignment]


def spelling(name: str) -> str:
    """What file systems that ignore case and normal form make of a name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).upper().lower())


def check_name(name: str) -> None:
    """Ends the program for a name that installers and file systems do not agree on."""
    if ".." in name.split("/") or name.startswith("/"):
        sys.exit(f"{name!r} leads out of it")
    if "\\" in name or any(unicodedata.category(character) == "Cc" for character in name):
        sys.exit(f"{name!r} has a backslash or a control character in its name")
    parts = name.split("/")
    for count in range(1, len(parts) + 1):
        path = "/".join(parts[:count])
        other = spellings.setdefault(spelling(path), path)
        if other != path:
            sys.exit(f"{other!r} and {path!r} differ only in case or Unicode form")


files: list[str] = []
entry_points: list[str] = []
lines: list[tuple[bytes, bytes]] = []
seen: set[str] = set()
spellings: dict[str, str] = {}
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        if name.endswith("/"):
            continue
        # Installers do not agree on which of two files they write.
        if name in seen:
            sys.exit(f"{name!r} is in it twice")
        check_name(name)
        seen.add(name)
        top, _, rest = name.partition("/")
        if not (top.endswith(".dist-info") and rest in ("RECORD", "WHEEL")):
            lines.append((os.fsencode(name), hash_of(wheel, name)))
        scheme, _, inside = rest.partition("/")
        is_data = top.endswith(".data") and scheme in folders
        file = recorded(folders[scheme], inside) if is_data else recorded(purelib, name)
        files.append(file)
        if file.endswith("-info/entry_points.txt"):
            entry_points.append(wheel.read(name).decode(errors="replace"))
        if rest == "entry_points.txt" and top.endswith(".dist-info"):
            points = Parser(delimiters=("=",), strict=False, interpolation=None)
            points.read_string(wheel.read(name).decode())
            for group in ("console_scripts", "gui_scripts"):
                if points.has_section(group):
                    files.extend(recorded(folders["scripts"], command) for command in points.options(group))
content = b"".join(digest.hex().encode() + b"  " + path + b"\n" for path, digest in sorted(lines))
answer = {
    "digest": hashlib.sha256(content).hexdigest(),
    "contents": {os.fsdecode(path): base64.urlsafe_b64encode(digest).decode().rstrip("=") for path, digest in lines},
    "files": sorted(set(files)),
    "commandFolder": os.path.relpath(folders["scripts"], purelib).replace(os.sep, "/"),
    "entryPoints": entry_points,
    "standardLibrary": sorted(sys.stdlib_module_names),
}
json.dump(answer, sys.stdout)
