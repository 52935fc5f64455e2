import { QUOTA_BYTES, QUOTA_FILES } from "../isolation/isolation-plan.ts";

/**
 * Makes a process a subreaper (prctl(2)) and, when asked, gives it a network of its own with loopback alone
 * (network_namespaces(7)) and a small file system in a folder that no other process sees (mount_namespaces(7)), then runs
 * a command in its place. All of it is inherited by everything that it starts. A user other than root needs a user
 * namespace for that, in which it keeps its id.
 */
const SCRIPT = `
import ctypes, fcntl, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWUSER, NEWNET, SET_CHILD_SUBREAPER = 0x20000, 0x10000000, 0x40000000, 36
NOSUID, NODEV, RECURSIVE, PRIVATE = 2, 4, 16384, 1 << 18
def check(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def write(path, text):
    with open(path, "w") as file:
        file.write(text)
network, quota = sys.argv[1] == "network", sys.argv[2]
flags = (NEWNET if network else 0) | (NEWNS if quota else 0)
if flags:
    user, group = os.getuid(), os.getgid()
    if user == 0:
        check(libc.unshare(flags))
    else:
        check(libc.unshare(NEWUSER | flags))
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{user} {user} 1")
        write("/proc/self/gid_map", f"{group} {group} 1")
if network:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        request = struct.pack("16sh14x", b"lo", 1)
        fcntl.ioctl(device, 0x8914, request)
if quota:
    os.makedirs(quota, exist_ok=True)
    check(libc.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None))
    check(libc.mount(b"tmpfs", os.fsencode(quota), b"tmpfs", NOSUID | NODEV, b"${`size=${QUOTA_BYTES},nr_inodes=${QUOTA_FILES},mode=700`}"))
check(libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0))
os.execv(sys.argv[3], sys.argv[3:])
`;

export interface NamespaceOptions {
  /** Path of a Python, which sets the process up. */
  python: string;
  /** Whether it gets a network of its own. */
  network: boolean;
  /** Folder of the file system of its own; null for none. */
  quota: string | null;
}

/** The command that runs another one as a subreaper in namespaces of its own. */
export const inNamespaces = ({ python, network, quota }: NamespaceOptions, command: readonly string[]): string[] => [
  python,
  "-I",
  "-S",
  "-c",
  SCRIPT,
  network ? "network" : "none",
  quota ?? "",
  ...command,
];
