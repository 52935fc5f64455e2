/**
 * Runs bubblewrap, and stands for the app's main process before the daemon: it passes signals on to the app's own main
 * process, which has another process id inside the sandbox, and ends as that one does. Before that it adds a line to a
 * record: its own process id, those of bubblewrap's two processes, and that of the app's main process outside and inside
 * of the sandbox.
 *
 * Arguments: bubblewrap, a file with its options (each ended by NUL), the record, names of the environment variables to
 * pass on (separated by commas), folders outside=inside (separated by NUL-free newlines), Python inside, its arguments.
 *
 * It waits for bubblewrap's outer process, which ends when the app's main process does; processes that the app leaves
 * behind live on below bubblewrap's inner process.
 */
export const FORWARDER = `
import _signal as signal, fcntl, os, sys, time
FORWARDED = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT]
signal.pthread_sigmask(signal.SIG_BLOCK, [*FORWARDED, signal.SIGCHLD])
bubblewrap, options_file, record, names, folders, python, *rest = sys.argv[1:]

def move_above_standard_streams(fd):
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD, 10)
    os.close(fd)
    return moved

def read_text(path):
    fd = move_above_standard_streams(os.open(path, os.O_RDONLY))
    with os.fdopen(fd, "rb") as file:
        return file.read()

def inside(path):
    for pair in folders.split("\\n"):
        outer, inner = pair.split("=", 1)
        if path == outer or path.startswith(outer + "/"):
            return inner + path[len(outer):]
    return "/"

info, info_writer = map(move_above_standard_streams, os.pipe())
given, given_writer = map(move_above_standard_streams, os.pipe())
options = read_text(options_file)
for name in names.split(","):
    if name in os.environ:
        options += b"--setenv\\0" + name.encode() + b"\\0" + os.environb[name.encode()] + b"\\0"
options += b"--chdir\\0" + os.fsencode(inside(os.getcwd())) + b"\\0"
os.write(given_writer, options)
os.close(given_writer)
for fd in (info_writer, given):
    os.set_inheritable(fd, True)
os.set_inheritable(info, False)
command = [bubblewrap, "--info-fd", str(info_writer), "--args", str(given), "--", python, *rest]
outer = os.posix_spawn(bubblewrap, command, {"PATH": "/usr/bin:/bin"}, setpgroup=0, setsigmask=[],
                       setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])
os.close(info_writer)
os.close(given)

def main_process():
    try:
        children = read_text("/proc/%d/task/%d/children" % (init, init)).split()
        return int(children[0]) if children else None
    except OSError:
        return None

def inner_id(pid):
    try:
        for line in read_text("/proc/%d/status" % pid).splitlines():
            if line.startswith(b"NSpid:"):
                return int(line.split()[-1])
    except OSError:
        pass
    return 0

text = b""
while b"}" not in text:
    chunk = os.read(info, 4096)
    if not chunk:
        break
    text += chunk
init = int(text.split(b'"child-pid":')[1].split(b",")[0].split(b"}")[0]) if b'"child-pid":' in text else 0
main = None
pending = []
while True:
    if main is None and init:
        main = main_process()
        if main is not None:
            line = "%d %d %d %d %d\\n" % (os.getpid(), outer, init, main, inner_id(main))
            fd = move_above_standard_streams(os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
            os.write(fd, line.encode())
            os.close(fd)
    for number in pending if main is not None else ():
        try:
            os.kill(main, number)
        except OSError:
            pass
    if main is not None:
        pending = []
    ended, status = os.waitpid(outer, os.WNOHANG)
    if ended:
        break
    received = signal.sigtimedwait([*FORWARDED, signal.SIGCHLD], 0.002 if main is None else 3600)
    if received is not None and received.si_signo != signal.SIGCHLD:
        pending.append(received.si_signo)

code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
if code > 128:
    number = code - 128
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        try:
            signal.signal(number, signal.SIG_DFL)
        except (OSError, ValueError):
            sys.exit(code)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)
os._exit(code)
`;
