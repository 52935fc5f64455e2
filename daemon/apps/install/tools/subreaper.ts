import { existsSync } from "node:fs";
import { pid as ownPid } from "node:process";

/**
 * Runs a tool as its child, and ends every process that descends from the tool before it exits itself: as a subreaper
 * (prctl(2)) it becomes the parent of processes that leave their parent, their session and their environment behind.
 *
 * - SIGINT is passed to the tool, which cleans up; what still runs two seconds later is killed.
 * - SIGTERM kills everything at once. The system sends it when the daemon is lost.
 * - When the tool has exited, the rest gets 0.2 s to end by itself, then SIGTERM, then SIGKILL.
 * - A tool without children waits for nobody but a process that a build left behind: that one is ended after 2 s.
 *
 * It exits as the tool did. Where the system has no subreapers, it is replaced by the tool.
 */
const SUBREAPER = `
import _signal as signal, os, sys, time
SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD}
PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
INTERRUPT_S, LEAVE_S, TERM_S, KILL_S, DETACHED_S, CHECK_S, POLL_S = 2, 0.2, 0.8, 5, 2, 1, 0.02
signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
daemon, command = int(sys.argv[1]), sys.argv[2:]

def become_subreaper():
    try:
        import ctypes
        prctl = ctypes.CDLL(None).prctl
        prctl(PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        return prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False

def children():
    found = {}
    for name in os.listdir("/proc"):
        try:
            with open("/proc/" + name + "/stat", "rb") as file:
                stat = file.read()
            state, parent = stat[stat.rindex(b")") + 2:].split()[:2]
        except (OSError, ValueError):
            continue
        if name.isdigit() and state not in b"ZX":
            found.setdefault(int(parent), []).append(int(name))
    return found

def tree(table, pid):
    found, waiting = {pid: None}, [pid]
    while waiting:
        for child in table.get(waiting.pop(), []):
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)

def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass

def name_of(pid):
    try:
        with open("/proc/" + str(pid) + "/cmdline", "rb") as file:
            return " ".join(file.read().replace(b"\\0", b" ").decode(errors="replace").split())[:100]
    except OSError:
        return ""

def run():
    now = time.monotonic
    ignored_by_python = [signal.SIGPIPE, signal.SIGXFSZ]
    try:
        tool = os.posix_spawnp(command[0], command, os.environ, setsigmask=[], setsigdef=ignored_by_python)
    except OSError as error:
        sys.exit("error: " + command[0] + " does not start: " + error.strerror)
    status = term_at = kill_at = give_up_at = alone_since = None
    warned = set()
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
            while pid != 0:
                if pid == tool:
                    status = code
                    term_at = now() + LEAVE_S
                    kill_at = min(kill_at or term_at + TERM_S, term_at + TERM_S)
                pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if term_at is not None and now() >= term_at:
            term_at = None
            send(tree(children(), os.getpid())[1:], signal.SIGTERM)
        if kill_at is not None and now() >= kill_at:
            give_up_at = give_up_at or now() + KILL_S
            send(tree(children(), os.getpid())[1:], signal.SIGKILL)
        if give_up_at is not None and now() >= give_up_at:
            return status
        if kill_at is None:
            table = children()
            detached = [each for pid in table.get(os.getpid(), []) if pid != tool for each in tree(table, pid)]
            if not detached or table.get(tool):
                alone_since = None
            elif alone_since is None:
                alone_since = now()
            elif now() >= alone_since + DETACHED_S:
                for pid in set(detached) - warned:
                    print("ended a process that the build left behind: " + str(pid) + " " + name_of(pid), file=sys.stderr, flush=True)
                send(set(detached) - warned, signal.SIGTERM)
                send(set(detached) & warned, signal.SIGKILL)
                warned |= set(detached)
        received = signal.sigtimedwait(SIGNALS, CHECK_S if kill_at is None else POLL_S)
        number = received.si_signo if received else None
        if number == signal.SIGTERM:
            kill_at = now()
        elif number == signal.SIGINT:
            if status is None:
                send([tool], signal.SIGINT)
            kill_at = kill_at or now() + INTERRUPT_S

if not become_subreaper():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    os.execvp(command[0], command)
if os.getppid() == daemon:
    status = run()
    if status is None:
        sys.exit(1)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.kill(os.getpid(), number)
    sys.exit(os.WEXITSTATUS(status))
`;

/**
 * The command that runs a tool under a subreaper; without /proc (not on Linux) the tool's own command.
 * @param python path of a Python
 */
export function withSubreaper(python: string, command: readonly string[]): readonly string[] {
  if (!existsSync("/proc/self/stat")) return command;
  return [python, "-I", "-S", "-c", SUBREAPER, String(ownPid), ...command];
}
