"""Ways to wait, as rows of the table in docs/testing-apps.md: the code of each, by the first column of its row."""

VIRTUAL = {
    "`time.sleep`": "time.sleep(5)",
    "`sched`": "import sched; s = sched.scheduler(); s.enter(5, 1, int); s.run()",
    "`threading.Event`": "threading.Event().wait(5)",
    "`threading.Condition`": "c = threading.Condition()\nwith c: c.wait_for(lambda: False, 5)",
    "`threading.Lock`": "l = threading.Lock(); l.acquire(); l.acquire(timeout=5)",
    "`threading.RLock`, `functools`": "l = threading.RLock()\ndef hold():\n  with l: time.sleep(5)\n"
    "threading.Thread(target=hold).start(); l.acquire()",
    "`threading.Semaphore`": "threading.Semaphore(0).acquire(timeout=5)",
    "`threading.Barrier`": "b = threading.Barrier(2); threading.Timer(5, b.wait).start(); b.wait()",
    "`threading.Timer`": "e = threading.Event(); threading.Timer(5, e.set).start(); e.wait()",
    "`threading.Thread.join`": "t = threading.Thread(target=time.sleep, args=(5,)); t.start(); t.join()",
    "`_thread`": "import _thread\ne = threading.Event()\n"
    "_thread.start_new_thread(lambda: (time.sleep(5), e.set()), ()); e.wait()",
    "`queue.Queue`": "import queue\ntry: queue.Queue().get(timeout=5)\nexcept queue.Empty: pass",
    "`queue.SimpleQueue`": "import queue\ntry: queue.SimpleQueue().get(timeout=5)\nexcept queue.Empty: pass",
    "`concurrent.futures`": "from concurrent.futures import ThreadPoolExecutor, wait\n"
    "with ThreadPoolExecutor(2) as pool: wait([pool.submit(time.sleep, 5) for _ in range(2)])",
    "`multiprocessing.dummy`": "from multiprocessing.dummy import Pool\nPool(2).map(time.sleep, [5, 5])",
    "`asyncio.sleep`": "import asyncio; asyncio.run(asyncio.sleep(5))",
    "`asyncio.wait_for`": "import asyncio\nasync def main():\n"
    "  try: await asyncio.wait_for(asyncio.Event().wait(), 5)\n"
    "  except asyncio.TimeoutError: pass\nasyncio.run(main())",
    "`asyncio.Queue`": "import asyncio\nasync def main():\n  q = asyncio.Queue()\n"
    "  asyncio.get_running_loop().call_later(5, q.put_nowait, 1)\n  await q.get()\nasyncio.run(main())",
    "`asyncio.to_thread`": "import asyncio; asyncio.run(asyncio.to_thread(time.sleep, 5))",
    "`uvloop`": "import asyncio, uvloop; uvloop.run(asyncio.sleep(5))",
    "`trio`": "import trio; trio.run(trio.sleep, 5)",
    "`trio.to_thread`": "import trio; trio.run(trio.to_thread.run_sync, time.sleep, 5)",
    "`anyio`": "import anyio; anyio.run(anyio.sleep, 5)",
    "`select.select`": "import select; select.select([], [], [], 5)",
    "`select.poll`": "import select, socket\na, b = socket.socketpair()\np = select.poll()\n"
    "p.register(a, 1); p.poll(5000)",
    "`select.epoll`": "import select, socket\na, b = socket.socketpair()\np = select.epoll()\n"
    "p.register(a, 1); p.poll(5)",
    "`selectors`": "import selectors, socket\na, b = socket.socketpair()\ns = selectors.DefaultSelector()\n"
    "s.register(a, 1); s.select(5)",
    "a socket with a timeout": "import socket\na, b = socket.socketpair(); a.settimeout(5)\ntry: a.recv(1)\n"
    "except TimeoutError: pass",
    "a socket with `SO_RCVTIMEO`": "import socket, struct\na, b = socket.socketpair()\n"
    "a.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack('@ll', 5, 0))\ntry: a.recv(1)\n"
    "except BlockingIOError: pass",
    "a server of the app": "import socket\ns = socket.socket(); s.bind(('127.0.0.1', 8042)); s.listen()\n"
    "def answer(): c, _ = s.accept(); time.sleep(5); c.sendall(b'x')\n"
    "threading.Thread(target=answer).start()\nsocket.create_connection(('127.0.0.1', 8042)).recv(1)",
    "`signal.alarm`, `signal.pause`": "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\n"
    "signal.alarm(5); signal.pause()",
    "`signal.setitimer`": "import signal\ne = threading.Event()\nsignal.signal(signal.SIGALRM, lambda *_: e.set())\n"
    "signal.setitimer(signal.ITIMER_REAL, 5); e.wait()",
    "`signal.sigtimedwait`": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])\n"
    "signal.sigtimedwait([signal.SIGUSR1], 5)",
    "`signal.sigwait`, `signal.sigwaitinfo`": "import os, signal\n"
    "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])\n"
    "threading.Timer(5, os.kill, (os.getpid(), signal.SIGUSR1)).start(); signal.sigwait([signal.SIGUSR1])",
}
"""Each waits for five seconds."""

SLEEP = "['sleep', '2']"
REAL = {
    "`subprocess.run`": f"import subprocess; subprocess.run({SLEEP})",
    "`Popen.wait`": f"import subprocess; subprocess.Popen({SLEEP}).wait(60)",
    "`Popen.poll` in a loop": f"import subprocess; p = subprocess.Popen({SLEEP})\n"
    "while p.poll() is None: time.sleep(0.1)",
    "`Popen.communicate`": f"import subprocess\np = subprocess.Popen({SLEEP}, stdout=-1, stderr=-1)\n"
    "p.communicate(timeout=60)",
    "`os.waitpid`": f"import os, subprocess; os.waitpid(subprocess.Popen({SLEEP}).pid, 0)",
    "`os.waitpid` with `WNOHANG` in a loop": f"import os, subprocess; pid = subprocess.Popen({SLEEP}).pid\n"
    "while os.waitpid(pid, os.WNOHANG)[0] == 0: time.sleep(0.1)",
    "`os.system`": "import os; os.system('sleep 2')",
    "`os.read` of another program": f"import os, subprocess\np = subprocess.Popen({SLEEP}, stdout=-1)\n"
    "os.read(p.stdout.fileno(), 1)",
    "`asyncio.create_subprocess_exec`": "import asyncio\nasync def main():\n"
    "  await (await asyncio.create_subprocess_exec('sleep', '2')).wait()\nasyncio.run(main())",
    "`multiprocessing`, `os.fork`": "import multiprocessing\n"
    "p = multiprocessing.get_context('fork').Process(target=time.sleep, args=(2,)); p.start(); p.join()",
    "a wait in C": "import ctypes; ctypes.CDLL(None).usleep(2_000_000)",
    "short waits in C": "import ctypes\nfor _ in range(20): ctypes.CDLL(None).usleep(100_000)",
}
"""Each waits for two seconds of a clock that is not that of the test."""

REFUSED = {
    "a loop without a pause": "while True: robot.set_target(antennas=[0, 0])",
    "a loop that only computes": "while True: pass",
    "a loop that looks at the clock": "while time.monotonic() < 9: robot.set_target(antennas=[0, 0])",
    "`asyncio.sleep` without `await`": "import asyncio\nasync def main():\n  while True: asyncio.sleep(0.02)\n"
    "asyncio.run(main())",
}
