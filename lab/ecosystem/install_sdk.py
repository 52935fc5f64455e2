"""Installs the public SDK into the Python environment that runs this, at one version, where the index may lack something.

Usage: install_sdk.py VERSION WHEELS. Prints what it left out or took in another version. What is left out is also left out
of the SDK's metadata, so that apps that depend on the SDK can be installed beside it.
"""

import pathlib
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata

from pip._vendor.packaging.requirements import Requirement

version, wheels = sys.argv[1], pathlib.Path(sys.argv[2])
NAME = "reachy-mini"
# Not needed by what is shown here, large, or not to be had for every machine.
LEFT_OUT = {
    "pip": "is there",
    "pygobject": "see below",
    "onnxruntime": "finds faces",
    "gstreamer-bundle": "other systems",
}


def pip(*args):
    """Runs pip of this environment, quietly; returns whether it succeeded."""
    done = subprocess.run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *args], check=False)
    return done.returncode == 0


def needed(distribution):
    """The requirements of a distribution without extras, on this machine."""
    requirements = [Requirement(text) for text in metadata.requires(distribution) or []]
    return [each for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]


def satisfied(requirement):
    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def bare(requirement):
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    return f"{requirement.name}{extras}"


def install():
    wheels.mkdir(parents=True, exist_ok=True)
    pattern = f"reachy_mini-{version}-*.whl"
    if not list(wheels.glob(pattern)) and not pip("download", "--no-deps", "-d", str(wheels), f"{NAME}=={version}"):
        sys.exit(f"The package index has no {NAME} {version}.")
    if not pip("install", "--no-deps", str(next(wheels.glob(pattern)))):
        sys.exit(f"{NAME} {version} could not be installed.")
    wanted = [each for each in needed(NAME) if each.name.lower() not in LEFT_OUT]
    exact = [f"{bare(each)}{each.specifier}" for each in wanted]
    if not pip("install", *exact):
        # The index lacks a version: every bound is dropped where it alone is the reason.
        obtainable = [one if pip("install", "--no-deps", one) else bare(each) for one, each in zip(exact, wanted)]
        if not pip("install", *obtainable):
            sys.exit(f"The dependencies of {NAME} could not be installed.")


def relax():
    """Leaves out of the SDK's metadata what this environment does not satisfy."""
    missing = [each for each in needed(NAME) if not satisfied(each)]
    file = pathlib.Path(metadata.distribution(NAME)._path) / "METADATA"
    lines = file.read_text().splitlines(keepends=True)
    dropped = [line for line in lines if any(line.startswith(f"Requires-Dist: {each.name}") for each in missing)]
    # A new file: in a copy of an environment, the old one is that of the original, too.
    relaxed = file.with_suffix(".new")
    relaxed.write_text("".join(line for line in lines if line not in dropped))
    relaxed.replace(file)
    for line in dropped:
        print(f"  without {line.removeprefix('Requires-Dist: ').strip()}")


def provide_gobject():
    """Links the system's GObject where it is for this Python and has GStreamer; else a stand-in without media."""
    site = pathlib.Path(sysconfig.get_paths()["purelib"])
    system = pathlib.Path("/usr/lib/python3/dist-packages/gi")
    for old in (site / "gi", site / "gi.py"):
        if old.is_symlink() or old.exists():
            old.unlink()
    if system.exists():
        (site / "gi").symlink_to(system)
        test = "import gi; gi.require_version('Gst', '1.0'); from gi.repository import GLib, Gst, GstApp, GstPbutils"
        if subprocess.run([sys.executable, "-c", test], capture_output=True, check=False).returncode == 0:
            return print("  with the system's GStreamer")
        (site / "gi").unlink()
    shutil.copy(pathlib.Path(__file__).with_name("gi_stub.py"), site / "gi.py")
    print("  without GStreamer: its modules are stand-ins; sound and picture come from the daemon")


install()
relax()
provide_gobject()
