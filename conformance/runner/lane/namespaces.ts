import { execa } from "execa";
import type { Host } from "../host.ts";

/**
 * Makes a process a subreaper (prctl(2)) and, when asked, gives it a network of its own with loopback alone
 * (network_namespaces(7)), then runs a command in its place. Both are inherited by everything that it starts. A user
 * other than root needs a user namespace for that, in which it keeps its id.
 */
const SANDBOX = `
import ctypes, fcntl, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
NEWUSER, NEWNET, SET_CHILD_SUBREAPER = 0x10000000, 0x40000000, 36
def check(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def write(path, text):
    with open(path, "w") as file:
        file.write(text)
if sys.argv[1] == "network":
    user, group = os.getuid(), os.getgid()
    if user == 0:
        check(libc.unshare(NEWNET))
    else:
        check(libc.unshare(NEWUSER | NEWNET))
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{user} {user} 1")
        write("/proc/self/gid_map", f"{group} {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        request = struct.pack("16sh14x", b"lo", 1)
        fcntl.ioctl(device, 0x8914, request)
check(libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0))
os.execv(sys.argv[2], sys.argv[2:])
`;

/**
 * The command that runs another one in a sandbox.
 * @param python path of a Python
 * @param network whether it gets a network of its own
 */
export const inSandbox = (python: string, network: boolean, command: readonly string[]): string[] => [
  python,
  "-c",
  SANDBOX,
  network ? "network" : "none",
  ...command,
];

/** Whether this machine lets its user make a network of its own. */
export async function canIsolateNetwork(python: string, { env, signal }: Host): Promise<boolean> {
  const [file = "", ...args] = inSandbox(python, true, ["/bin/true"]);
  const probe = await execa(file, args, {
    env,
    extendEnv: false,
    stdin: "ignore",
    timeout: 10_000,
    reject: false,
    cancelSignal: signal,
  });
  signal.throwIfAborted();
  return probe.exitCode === 0;
}
