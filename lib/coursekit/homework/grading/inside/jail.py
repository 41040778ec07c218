"""The walls around one submission, built from inside the sandbox by the child that is to live in them.

A child gets a user, mount, process, network, IPC and host-name namespace of its own, a session of its own, a small
tmpfs for what is writable, an empty /proc, no capability, limits, and a filter of system calls. Linux only; it
imports no coursekit, for the sandbox sees only this file of it.
"""

import ctypes
import os
import platform
import resource
import signal
import struct
import time

NOBODY = 65534
SECONDS_TO_DIE = 20
LIMITS = {
    "AS": 2 << 30,
    "CPU": 120,
    "FSIZE": 16 << 20,
    "NOFILE": 64,
    "NPROC": 24,
    "CORE": 0,
    "MEMLOCK": 0,
    "MSGQUEUE": 0,
    "STACK": 64 << 20,
}
TMPFS = [
    (b"/tmp", b"size=16m,nr_inodes=2k,mode=700"),
    (b"/dev/shm", b"size=16m,nr_inodes=64,mode=700"),
    (b"/proc", b"size=4k,nr_inodes=2,mode=555"),
]
NEW_CGROUP, NEW = (
    0x2000000,
    0x20000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000,
)  # see the top
NOSUID_NODEV, READ_ONLY, NOEXEC = 2 | 4, 1, 8
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = (
    4,
    22,
    24,
    38,
    47,
)
libc = ctypes.CDLL(None, use_errno=True)

# System calls that no homework needs: new namespaces and mounts, other processes' memory, memory that no limit
# counts, other submissions' cores, and corners of the kernel where its own faults have been. (x86_64, aarch64)
DENIED = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "acct": (163, 89),
    "personality": (135, 92),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "sched_setaffinity": (203, 122),
    "vmsplice": (278, 75),
    "syslog": (103, 116),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
}
CLONE3 = 435
# System calls of which some are denied: (numbers, where the argument is, its bits that count, test, value). Namespaces;
# shared memory without a file, which stays when no process shows it any more; all sockets but AF_UNIX and AF_INET(6),
# for some families reach the host of a virtual machine whatever the namespace.
EQUAL, AT_LEAST = 0x15, 0x35
DENIED_IF = {
    "clone": ((56, 220), 16, NEW | NEW_CGROUP, AT_LEAST, 1),
    "mmap": ((9, 222), 40, 0x21, EQUAL, 0x21),
    "socket": ((41, 198), 16, 0xFFFFFFFF, AT_LEAST, 11),
}
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x50001, 0x50026


def drop_root() -> None:
    """Become nobody, if the sandbox was started by root."""
    if os.getuid() == 0:
        os.chmod("/tmp", 0o1777)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))  # or /proc/self would still be root's


def lock(keep: int) -> None:
    """Build the walls; only the file descriptor to keep stays open. Returns in a grandchild that is process 1."""
    uid, gid = os.getuid(), os.getgid()
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    check(libc.unshare(NEW))
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"1000 {uid} 1"),
        ("gid_map", f"1000 {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    for place, options in TMPFS:
        flags = NOSUID_NODEV | (READ_ONLY | NOEXEC if place == b"/proc" else 0)
        check(libc.mount(b"tmpfs", place, b"tmpfs", flags, options))
    os.chdir("/tmp")
    if os.fork():
        os._exit(0)
    os.setsid()
    os.closerange(3, keep)
    os.closerange(keep + 1, 1024)
    for name, most in LIMITS.items():
        number = getattr(resource, f"RLIMIT_{name}", 12)  # Python has no name for MSGQUEUE
        hard = resource.getrlimit(number)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (most, most))
    drop_capabilities()
    filter_calls()


def drop_capabilities() -> None:
    """Give up all capabilities, for ever."""
    capability = 0
    while libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    check(libc.prctl(PR_CAP_AMBIENT, 4, 0, 0, 0))
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    header, none = struct.pack("Ii", 0x20080522, 0), struct.pack("6I", *[0] * 6)
    check(libc.capset(header, none))


def filter_calls() -> None:
    """Let the kernel refuse the system calls of DENIED and DENIED_IF, on the processors whose numbers we know."""
    if platform.machine() not in ARCHITECTURES:
        return
    column, audit = ARCHITECTURES[platform.machine()]
    # Classic BPF: (code, jump if true, jump if false, value); 0x20 load, 0x54 and, 0x15 equal, 0x35 ≥, 6 return
    program = [
        (0x20, 0, 0, 4),
        (0x15, 1, 0, audit),
        (6, 0, 0, KILL),
        (0x20, 0, 0, 0),
        (0x35, 0, 1, 0x40000000),
        (6, 0, 0, KILL),
        (0x15, 0, 1, CLONE3),
        (6, 0, 0, ENOSYS),
    ]
    for numbers in DENIED.values():
        program += [(0x15, 0, 1, numbers[column]), (6, 0, 0, EPERM)]
    for numbers, place, bits, test, value in DENIED_IF.values():
        program += [
            (0x15, 0, 5, numbers[column]),
            (0x20, 0, 0, place),
            (0x54, 0, 0, bits),
            (test, 0, 1, value),
            (6, 0, 0, EPERM),
            (6, 0, 0, ALLOW),
        ]
    program.append((6, 0, 0, ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    about = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    check(libc.prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(about), 0, 0))


def check(result: int) -> None:
    """Raise OSError if a system call has failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def end_others() -> None:
    """End every other process of the sandbox: we are its process 1, and all others came from us."""
    deadline = time.monotonic() + SECONDS_TO_DIE
    while time.monotonic() < deadline:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.001)
        except ChildProcessError:
            return
    os._exit(1)  # with process 1 the whole sandbox goes


def memory_of_others(base: int) -> int:
    """Return the bytes that all other processes hold beyond the base, which each shares with us."""
    others = [
        int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()
    ]
    return sum(max(0, memory_of(pid) - base) for pid in others)


def memory_of(pid: int) -> int:
    """Return the bytes of memory of a process that are backed by no file, 0 if it has gone."""
    if found := _memory(f"/proc/{pid}"):
        return found
    try:  # if the first thread has ended, only the others still show the memory
        return max(
            _memory(f"/proc/{pid}/task/{thread}") for thread in os.listdir(f"/proc/{pid}/task")
        )
    except (OSError, ValueError):
        return 0


def _memory(folder: str) -> int:
    try:
        with open(
            f"{folder}/status", "rb"
        ) as file:  # a process may call itself by bytes that are no text
            lines = dict(line.split(b":", 1) for line in file)
        return sum(int(lines[name].split()[0]) for name in (b"RssAnon", b"RssShmem")) << 10
    except (OSError, KeyError, ValueError):
        return 0
