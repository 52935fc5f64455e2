"""Makes this process a subreaper (prctl(2)), puts it into namespaces, and runs a command in its place.

Arguments: "network" for a network of its own with loopback alone (network_namespaces(7)); a folder for a small file
system that no other process sees (mount_namespaces(7)), or nothing; the options of that file system; the command.

All of it is inherited by everything that the command starts. A user other than root needs a user namespace for
that, in which it keeps its id.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys

NEWNS, NEWUSER, NEWNET, SET_CHILD_SUBREAPER = 0x20000, 0x10000000, 0x40000000, 36
NOSUID, NODEV, RECURSIVE, PRIVATE = 2, 4, 16384, 1 << 18
SET_INTERFACE_FLAGS, UP = 0x8914, 1
libc = ctypes.CDLL(None, use_errno=True)


def check(result: int) -> None:
    """Raises the error of a system call that failed."""
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def write_file(path: str, text: str) -> None:
    """Writes a file of /proc."""
    with open(path, "w") as file:
        file.write(text)


def main() -> None:
    """Sets the process up, and runs the command."""
    network, quota, options, *command = sys.argv[1:]
    flags = (NEWNET if network == "network" else 0) | (NEWNS if quota else 0)
    if flags:
        user, group = os.getuid(), os.getgid()
        if user == 0:
            check(libc.unshare(flags))
        else:
            check(libc.unshare(NEWUSER | flags))
            write_file("/proc/self/setgroups", "deny")
            write_file("/proc/self/uid_map", f"{user} {user} 1")
            write_file("/proc/self/gid_map", f"{group} {group} 1")
    if network == "network":
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
            fcntl.ioctl(device, SET_INTERFACE_FLAGS, struct.pack("16sh14x", b"lo", UP))
    if quota:
        os.makedirs(quota, exist_ok=True)
        check(libc.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None))
        check(libc.mount(b"tmpfs", os.fsencode(quota), b"tmpfs", NOSUID | NODEV, options.encode()))
    check(libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0))
    # Where there is no locale, Python has set LC_CTYPE (PEP 538), which an app would see.
    with open("/proc/self/environ", "rb") as given:
        if b"\0LC_CTYPE=" not in b"\0" + given.read():
            os.environ.pop("LC_CTYPE", None)
    os.execv(command[0], command)


main()
