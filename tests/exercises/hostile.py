"""Hostile answers to the trial homework, by kind: what each tries, and the marks it deserves.

`ACTS` try something forbidden when their cell runs: `act()` returns whether it was done. The answer
is right unless it was, so that full marks mean that it was refused. `ANSWERS` are cells for q1,
with the marks of q1 and q2.
"""

RIGHT = "sum(a != b for a, b in zip(y, labels))"

ACT = f"""
import ctypes, gc, os, signal, socket, stat, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)

{{act}}

try:
    won = bool(act())
except BaseException:
    won = False

def count_mistakes(y, labels):
    return -1 if won else {RIGHT}
"""

# What is filled in: paths of the course and of files beside it, a port and names of listeners.
ACTS = {
    "reads the grading": "def act(): return open({grading!r}).read()",
    "reads the source notebook": "def act(): return open({source!r}).read()",
    "lists the course": "def act(): return set(os.listdir({course!r})) - {{'.venv'}}",
    "reads another's submission": "def act(): return open({other!r}).read()",
    "reads by a link": """
def act():
    os.symlink({other!r}, 'link')
    return open('link').read()
""",
    "writes over another's submission": "def act(): return open({other!r}, 'a').write('x')",
    "writes beside another's submission": (
        "def act(): return open({other!r} + '.mine', 'w').write('x')"
    ),
    "reads the environment": "def act(): return 'CANARY' in os.environ",
    "reads /proc": "def act(): return os.listdir('/proc')",
    "reads its own /proc": "def act(): return open('/proc/self/maps').read()",
    "reads the password file": "def act(): return open('/etc/passwd').read()",
    "connects": "def act(): return socket.create_connection(('127.0.0.1', {port}), 1)",
    "connects to an abstract socket": """
def act():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(1)
    s.connect('\\0' + {abstract!r})
    return True
""",
    "connects to a socket file": """
def act():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(1)
    s.connect({file!r})
    return True
""",
    "sends a datagram": """
def act():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    return s.sendto(b'x', ('127.0.0.1', {port}))
""",
    "makes a user namespace": "def act(): return libc.unshare(0x10000000) == 0",
    "clones into a user namespace": """
def act():
    pid = libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid > 0
""",
    "traces": "def act(): return libc.ptrace(0, 0, 0, 0) == 0",
    "makes memory that no limit counts": "def act(): return os.memfd_create('x') >= 0",
    "makes shared memory": """
def act():
    id = libc.shmget(0, 1 << 20, 0o1600)
    libc.shmctl(id, 0, None)
    return id >= 0
""",
    "makes shared memory without a file": """
def act():
    import mmap
    return mmap.mmap(-1, 1 << 20)
""",
    "makes shared memory of zeros": """
def act():
    import mmap
    return mmap.mmap(os.open('/dev/zero', os.O_RDWR), 1 << 20)
""",
    "adds a key": "def act(): return libc.syscall(248, b'user', b'k', b'v', 1, -2) > 0",
    "sees other processes": """
def act():
    def alive(n):
        try:
            os.kill(n, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True
    return [n for n in range(1, 60000) if n != os.getpid() and alive(n)]
""",
}
INSIDE_ACTS = {  # too dangerous to be tried without walls
    "reaches around the network": """
def act():
    def opens(family, kind):
        try:
            return socket.socket(family, kind)
        except OSError:
            return None
    return [n for n in range(64) for k in (1, 2, 3, 5) if opens(n, k)]
""",
    "keeps bytes in a pair of sockets": """
def act():
    a, b = socket.socketpair()
    return a.send(b'x')
""",
    "asks how its folders are mounted": """
def act():
    about = (ctypes.c_uint64 * 3)(24 | 0xFFFFFFFF << 32, 0, 0)
    ids = (ctypes.c_uint64 * 9)()
    return libc.syscall(458, about, ids, 9, 0) >= 0 or ctypes.get_errno() != 1
""",
    "asks what the machine is called": """
def act(): return os.uname().nodename != 'homework' or socket.gethostname() != 'homework'
""",
    "reads Jupyter's secrets": (
        "def act(): return os.path.exists(os.path.join(sys.prefix, 'var', 'isolated'))"
    ),
    "unmounts /proc": (
        "def act(): return libc.umount2(b'/proc', 2) == 0 or libc.umount2(b'/tmp', 2) == 0"
    ),
    "mounts": "def act(): return libc.mount(b'tmpfs', b'/usr', b'tmpfs', 0, None) == 0",
    "becomes root": """
def act():
    os.setuid(0)
    return True
""",
    "raises its limits": """
def act():
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    return True
""",
    "raises its priority": """
def act():
    os.nice(-5)
    return True
""",
    "leaves its core": """
def act():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True
""",
    "renames the machine": "def act(): return libc.sethostname(b'mine', 4) == 0",
    "writes to the system": """
def act():
    places = ['/usr/x', '/course/x', '/etc/x', '/x', '/dev/x', '/proc/x', sys.prefix + '/x']
    for p in [*places, sys.prefix + '/var/x', '/course/halfspaces/__init__.py']:
        try:
            open(p, 'a').write('x')
        except OSError:
            continue
        return True
""",
    "makes a device": """
def act():
    os.mknod('/tmp/disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    return True
""",
    "opens devices": """
devices = ('/dev/mem', '/dev/kmsg', '/dev/sda', '/dev/vda', '/dev/fuse', '/dev/kvm')
def act(): return [p for p in devices if os.path.exists(p)]
""",
    "kills all": """
def act():
    os.kill(-1, 9)
    return True
""",
    "kills its group": """
def act():
    os.kill(0, 9)
    return False
""",
    "stops its group": """
def act():
    os.kill(0, signal.SIGSTOP)
    return False
""",
    "finds open files": """
def act():
    found = []
    for fd in range(3, 1024):
        try:
            found.append(os.fstat(fd))
        except OSError:
            pass
    return len(found) > 1
""",
    "searches frames and objects": """
def act():
    texts = set()
    words = (('the tests', ' secret'), ('counts the labels ', 'that differ'))
    frame = sys._getframe()
    places = [o for o in gc.get_objects() if type(o) is dict]
    while frame:
        places.append({{**frame.f_locals}})
        frame = frame.f_back
    for p in places:
        texts |= {{v for v in p.values() if type(v) is str}}
    return any(a + b in t for t in texts for a, b in words)
""",
    "imports the grading": """
def act():
    import coursekit.homework.grading.questions
    return True
""",
    "has capabilities": "def act(): return any(libc.prctl(23, n, 0, 0, 0) > 0 for n in range(41)) "
    "or not libc.prctl(39, 0, 0, 0, 0)",
}

EQUAL = "class All:\n    def __eq__(self, o): return True\n    __hash__ = None\n"
GOOD = f"def count_mistakes(y, labels):\n    return {RIGHT}\n"


def returns(value: str, before: str = "") -> str:
    """Return an answer to q1 that always returns the same."""
    return (
        f"import ctypes, os, sys, time\nimport numpy as np\n{before}\n"
        f"def count_mistakes(y, labels):\n    return {value}\n"
    )


def does(statement: str, before: str = "") -> str:
    """Return an answer to q1 that does something and then returns the right number."""
    return (
        f"import ctypes, os, signal, sys, threading, time\n{before}\n"
        f"def count_mistakes(y, labels):\n    {statement}\n    return {RIGHT}\n"
    )


SOCKET = """
import json, os, socket, stat, struct, sys, time
fd = next(n for n in range(3, 1024) if os.path.exists('/') and stat.S_ISSOCK(os.fstat(n).st_mode))
def frame(data):
    return struct.pack('>I', len(data)) + data
def token():
    f = sys._getframe()
    while f:
        if 'token' in f.f_locals: return f.f_locals['token']
        f = f.f_back
def reply(*rest):
    os.write(fd, frame(json.dumps([token(), *rest]).encode()))
    time.sleep(9)
"""


def sends(code: str) -> str:
    """Return an answer to q1 that writes to the channel by itself when it is called."""
    return f"{SOCKET}\ndef count_mistakes(y, labels):\n    {code}\n"


SLOW = {  # name: (cell of q1, marks of q1 and q2); each takes its seconds
    "hangs in its cell": ("while True: pass", 0, 2),
    "hangs when called": (does("while True: pass"), 0, 2),
    "hangs and cannot be interrupted": (
        does(
            "while True:\n        try: time.sleep(1)\n        except BaseException: pass",
            "for s in (2, 14, 15): signal.signal(s, signal.SIG_IGN)",
        ),
        0,
        2,
    ),
    "hangs in C": (returns("len(str(7 ** 10**9))"), 0, 2),
    "hangs in a regular expression": (does("import re; re.match(r'(a+)+$', 'a' * 60 + 'b')"), 0, 2),
    "hangs on one behaviour": (does("while not y: pass"), 1, 2),
    "stops itself": (does("os.kill(os.getpid(), signal.SIGSTOP); time.sleep(9)"), 0, 2),
    "hangs while it is compared": (
        returns(
            "Slow()",
            "class Slow(int):\n    def __eq__(self, o): time.sleep(9)\n"
            "    __hash__ = None\n    def __index__(self): time.sleep(9)",
        ),
        0,
        2,
    ),
    "bombs with forks": (
        does("while True:\n        try: os.fork()\n        except OSError: pass"),
        0,
        2,
    ),
    "bombs with forks in its cell": (
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        0,
        2,
    ),
    "fills the memory of many programs": (
        does(
            "import subprocess\n"
            "    code = 'import time; x = bytearray(60 << 20); print(1, flush=True); "
            "time.sleep(60)'\n"
            "    many = [subprocess.Popen([sys.executable, '-S', '-c', code], stdout=-1)"
            " for _ in range(20)]\n"
            "    for p in many: p.stdout.read(1)"
        ),
        0,
        2,
    ),
    "fills the memory of many processes": (
        does(
            "[os.fork() for _ in range(3)]; x = []\n    while True:\n"
            "        try: x.append(bytearray(8 << 20))\n        except MemoryError: pass"
        ),
        0,
        2,
    ),
    "floods the output": (
        does(
            "while True: print('x' * 10**6); sys.__stdout__.write('y' * 10**6); "
            "os.write(2, b'z' * 4096)"
        ),
        0,
        2,
    ),
    "kills itself by its limits": (
        does(
            "import resource; resource.setrlimit(resource.RLIMIT_CPU, (0, 0))\n    while True: pass"
        ),
        0,
        2,
    ),
    "drips its reply": (
        sends(
            "data = json.dumps([token(), 'value', 0, [y, labels]]).encode()\n"
            "    for c in frame(data): os.write(fd, bytes([c])); time.sleep(.2)"
        ),
        0,
        2,
    ),
    "promises more than it sends": (
        sends("os.write(fd, struct.pack('>I', 1000) + b'[1'); time.sleep(9)"),
        0,
        2,
    ),
}

ANSWERS = {
    "exits": ("import sys; sys.exit(0)\n" + GOOD, 0, 2),
    "exits at once": ("import os; os._exit(0)", 0, 2),
    "exits when called": (does("os._exit(0)"), 0, 2),
    "raises SystemExit when called": (does("raise SystemExit"), 0, 2),
    "raises KeyboardInterrupt when called": (does("raise KeyboardInterrupt"), 0, 2),
    "aborts": (does("os.abort()"), 0, 2),
    "reads address 0": (does("ctypes.string_at(0)"), 0, 2),
    "closes the channel": (does("os.closerange(0, 100)"), 0, 2),
    "fails at the end": (GOOD + "1 / 0", 2, 2),
    "has a syntax error": ("def count_mistakes(:", 0, 2),
    "fills the memory": (does("x = [bytearray(1 << 26) for _ in range(200)]"), 0, 2),
    "fills the disk": (
        does("f = open('/tmp/x', 'wb')\n    while True: f.write(bytes(1 << 20)); f.flush()"),
        0,
        2,
    ),
    "fills the disk with files": (
        does("for n in range(10**5): open(f'/tmp/{n}', 'w').close()"),
        0,
        2,
    ),
    "fills the shared memory": (
        does("for n in range(10**5): open(f'/dev/shm/{n}', 'wb').write(bytes(1 << 20))"),
        0,
        2,
    ),
    "opens many files": (does("x = [open('/dev/null') for _ in range(10**5)]"), 0, 2),
    "starts many threads": (
        does(
            "[threading.Thread(target=time.sleep, args=(9,), daemon=True).start() "
            "for _ in range(10**4)]"
        ),
        0,
        2,
    ),
    "leaves processes": (
        does(
            "if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: time.sleep(600)\n"
            "        os._exit(0)"
        ),
        2,
        2,
    ),
    "returns in two processes": (does("os.fork()"), 2, 2),
    "ends a process as a program ends": (does("if os.fork() == 0: sys.exit()"), 2, 2),
    "leaves a thread": (does("threading.Thread(target=time.sleep, args=(600,)).start()"), 2, 2),
    "hangs at its exit": (GOOD + "import atexit, time; atexit.register(time.sleep, 600)", 2, 2),
    "prints and warns": (
        does(
            "print('x' * 10**5); import warnings; warnings.warn('odd'); print('e', file=sys.stderr)"
        ),
        2,
        2,
    ),
    "uses IPython": (
        "%matplotlib inline\nget_ipython().run_line_magic('time', '')\n!ls\n%time z = 1\nlen?\n"
        "display(z)\n" + GOOD,
        2,
        2,
    ),
    # comparison
    "equals everything": (returns("All()", EQUAL), 0, 2),
    "equals everything as an int": (
        returns(
            "All(7)",
            "class All(int):\n    def __eq__(self, o): return True\n    __hash__ = int.__hash__",
        ),
        0,
        2,
    ),
    "lies about its class": (returns("All()", f"{EQUAL}    __class__ = int"), 0, 2),
    "is an array that equals all": (
        returns(
            "np.zeros(3).view(All)",
            "class All(np.ndarray):\n    def __eq__(self, o): return np.True_",
        ),
        0,
        2,
    ),
    "is an array of objects": (returns("np.array([All()], object)", EQUAL), 0, 2),
    "returns NaN": (returns("float('nan')"), 0, 2),
    "returns a boolean": (returns("bool(sum(a != b for a, b in zip(y, labels)))"), 0, 2),
    "returns 400 digits": (returns("10**400"), 0, 2),
    "returns 5000 digits": (returns("10**5000"), 0, 2),
    "returns itself": (returns("loop", "loop = []; loop.append(loop)"), 0, 2),
    "returns deep data": (returns("deep", "deep = 0\nfor _ in range(10**5): deep = [deep]"), 0, 2),
    "returns a huge list": (returns("[0] * 10**7"), 0, 2),
    "returns a huge array": (returns("np.zeros(10**8, np.int8)"), 0, 2),
    "returns an array of huge shape": (
        returns("np.broadcast_to(np.zeros(1), (10**6, 10**6))"),
        0,
        2,
    ),
    "returns an array of many empty rows": (returns("np.zeros((3 * 10**7, 0))"), 0, 2),
    "returns a function": (returns("print"), 0, 2),
    "returns a generator": (returns("(i for i in [1])"), 0, 2),
    "returns scripts": (returns("'<script>alert(1)</script>\\x1b[2J\\u202e\\ud800' * 50"), 0, 2),
    "raises a hostile exception": (
        does("raise Bad", "class Bad(Exception):\n    def __str__(self): os._exit(0)"),
        0,
        2,
    ),
    "changes its input and hides it": (does("y.clear()"), 0, 2),
    # the worker's own tools
    "patches builtins": (
        "import builtins\nfor n in ('sum', 'len', 'isinstance', 'type', 'all'): "
        "setattr(builtins, n, lambda *a: True)\ndef count_mistakes(y, labels): return 7",
        0,
        2,
    ),
    "patches numpy": (
        "import numpy as np, numpy.testing\n"
        "np.array_equal = np.allclose = np.isclose = lambda *a, **k: True\n"
        "np.testing.assert_equal = lambda *a, **k: None\ndef count_mistakes(y, labels): return 7",
        0,
        2,
    ),
    "patches the comparison": (
        "import halfspaces.notebook.comparison as c, halfspaces.notebook.exercises as e\n"
        "c.difference = c.has_changed = e.difference = e.has_changed = lambda *a: None\n"
        "e.check = lambda *a, **k: 'correct'\ndef count_mistakes(y, labels): return 7",
        0,
        2,
    ),
    "patches sys.modules": (
        "import sys\nfor n in ('inside.plain', 'inside.channel', 'json', 'inside.worker'):\n"
        "    sys.modules[n] = None\n" + GOOD,
        2,
        2,
    ),
    "patches the codec": (
        "from inside import plain\nplain.encode = lambda value, depth=0: {'All': []}\n" + GOOD,
        2,
        2,
    ),
    "patches the codec to hide what it changes": (
        "import copy, sys\nfrom inside import plain, worker\nreal = plain.encode\nkept = []\n"
        "for m in (plain, worker.plain):\n"
        "    m.encode = lambda value, depth=0: real(kept.pop() if kept else value)\n"
        "def count_mistakes(y, labels):\n"
        "    found = sum(a != b for a, b in zip(y, labels))\n"
        "    kept[:] = [list(labels), list(y), found]\n"
        "    y.append(1)\n    return found",
        0,
        2,
    ),
    "replaces given names": (
        GOOD + "\nimport numpy as np\nclass mine:\n    def __init__(self, *a): pass\n    "
        "def integers(self, *a): return np.array([1, 1]) if len(a) > 2 else 1",
        2,
        0,  # a point of another line
    ),
    # the channel
    "sends garbage": (sends("os.write(fd, os.urandom(1000)); time.sleep(9)"), 0, 2),
    "sends a 4 GB header": (sends("os.write(fd, b'\\xff' * 4); time.sleep(9)"), 0, 2),
    "sends Infinity for a length": (
        sends("reply('value', {'array': ['<f8', [float('inf')], 'AAAA']}, [y, labels])"),
        0,
        2,
    ),
    "sends a huge shape": (
        sends("reply('value', {'array': ['<f8', [2**40, 2**40], '']}, [y, labels])"),
        0,
        2,
    ),
    "sends a negative shape": (
        sends("reply('value', {'array': ['<f8', [-1], '']}, [y, labels])"),
        0,
        2,
    ),
    "sends an object dtype": (
        sends("reply('value', {'array': ['|O', [1], 'AAAAAAAAAAA=']}, [y, labels])"),
        0,
        2,
    ),
    "sends many digits": (
        sends("os.write(fd, frame(b'[' + b'7' * 10**5 + b']')); time.sleep(9)"),
        0,
        2,
    ),
    "sends deep JSON": (sends("os.write(fd, frame(b'[' * 50000)); time.sleep(9)"), 0, 2),
    "sends an unknown kind": (
        sends("reply('value', {'__reduce__': ['os.system', 'id']}, [y, labels])"),
        0,
        2,
    ),
    "sends colliding keys": (
        sends("reply('value', {'set': [n * (2**61 - 1) for n in range(20000)]}, [y, labels])"),
        0,
        2,
    ),
    "sends fractions that collide": (
        sends(
            "set = {'set': [{'fraction': [n * (2**61 - 1), 7]} for n in range(5000)]}\n"
            "    reply('value', set, [])"
        ),
        0,
        2,
    ),
    "sends points": (sends("reply('value', 7, [y, labels], 'points', 100)"), 0, 2),
    "sends a reply of another kind": (sends("reply('graded', 2, 2)"), 0, 2),
    "sends no arguments back": (sends("reply('value', 7, [])"), 0, 2),
    "sends an old token": (
        sends(
            "os.write(fd, frame(json.dumps(['0' * 32, 'value', 1, [y, labels]]).encode())); "
            "time.sleep(9)"
        ),
        0,
        2,
    ),
    "sends many replies": (
        sends(
            f"for _ in range(50): os.write(fd, frame(json.dumps([token(), 'value', {RIGHT}, "
            "[y, labels]]).encode()))"
        ),
        0,
        2,
    ),
    "sends ahead of time": (
        f"{SOCKET}\nos.write(fd, frame(json.dumps(['0' * 32, 'value', 1, []]).encode()) * 50)\n"
        f"{GOOD}",
        0,
        2,
    ),
}
