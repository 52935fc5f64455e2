/**
 * The daemon starts this script as the app's main process. It starts bubblewrap, forwards signals to the app inside the
 * sandbox, and exits with the app's exit code or signal. When the app has started, it appends to the record file:
 * forwarder, outer and inner bubblewrap process, app outside, app inside.
 *
 * Arguments: bubblewrap, a file with its options (each ended by NUL), the record file, names of the environment variables
 * that the app inherits (separated by commas), folders as OUTSIDE=INSIDE, one a line, Python inside, its arguments.
 *
 * It waits for bubblewrap's outer process, which ends when the app's main process does; processes that the app leaves
 * behind live on below bubblewrap's inner process.
 */
export const FORWARDER = `
import _signal as signal, fcntl, os, sys
FORWARDED = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT]
signal.pthread_sigmask(signal.SIG_BLOCK, [*FORWARDED, signal.SIGCHLD])
bubblewrap, options_file, record, inherited_variables, folders, python, *rest = sys.argv[1:]

def move_above_standard_streams(fd):
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD, 10)
    os.close(fd)
    return moved

def read_text(path):
    fd = move_above_standard_streams(os.open(path, os.O_RDONLY))
    with os.fdopen(fd, "rb") as file:
        return file.read()

def path_inside(path):
    for pair in folders.split("\\n"):
        outer, inner = pair.split("=", 1)
        if path == outer or path.startswith(outer + "/"):
            return inner + path[len(outer):]
    return "/"

info, info_writer = map(move_above_standard_streams, os.pipe())
options_reader, options_writer = map(move_above_standard_streams, os.pipe())
options = read_text(options_file)
for name in inherited_variables.split(","):
    if name in os.environ:
        options += b"--setenv\\0" + name.encode() + b"\\0" + os.environb[name.encode()] + b"\\0"
options += b"--chdir\\0" + os.fsencode(path_inside(os.getcwd())) + b"\\0"
os.write(options_writer, options)
os.close(options_writer)
for fd in (info_writer, options_reader):
    os.set_inheritable(fd, True)
os.set_inheritable(info, False)
command = [bubblewrap, "--info-fd", str(info_writer), "--args", str(options_reader), "--", python, *rest]
outer = os.posix_spawn(bubblewrap, command, {"PATH": "/usr/bin:/bin"}, setpgroup=0, setsigmask=[],
                       setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])
os.close(info_writer)
os.close(options_reader)

def find_app_pid():
    try:
        children = read_text("/proc/%d/task/%d/children" % (sandbox_init, sandbox_init)).split()
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
sandbox_init = int(text.split(b'"child-pid":')[1].split(b",")[0].split(b"}")[0]) if b'"child-pid":' in text else 0
app_pid = None
pending = []
while True:
    if app_pid is None and sandbox_init:
        app_pid = find_app_pid()
        if app_pid is not None:
            line = "%d %d %d %d %d\\n" % (os.getpid(), outer, sandbox_init, app_pid, inner_id(app_pid))
            fd = move_above_standard_streams(os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
            os.write(fd, line.encode())
            os.close(fd)
    for number in pending if app_pid is not None else ():
        try:
            os.kill(app_pid, number)
        except OSError:
            pass
    if app_pid is not None:
        pending = []
    ended, status = os.waitpid(outer, os.WNOHANG)
    if ended:
        break
    received = signal.sigtimedwait([*FORWARDED, signal.SIGCHLD], 0.002 if app_pid is None else 3600)
    if received is not None and received.si_signo != signal.SIGCHLD:
        pending.append(received.si_signo)

code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
number = code - 128
# Signals that stop a process end none: with such a number it is the app's exit code.
if number > 0 and number not in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
    if number != signal.SIGKILL:
        try:
            signal.signal(number, signal.SIG_DFL)
        except (OSError, ValueError):
            # There is no such signal.
            os._exit(code)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)
os._exit(code)
`;
