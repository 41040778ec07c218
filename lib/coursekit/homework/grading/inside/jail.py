"""The walls around one submission, built from inside the sandbox by the child that lives in them.

A child gets a user, mount, process, network, IPC and host-name namespace of its own, a session of
its own, a small tmpfs for what is writable, an empty /proc, no capability, limits, and a filter of
system calls. Linux only.
"""

import ctypes
import os
import platform
import resource
import signal
import struct
import time
from contextlib import suppress

from .limits import RESOURCES, SECONDS_TO_DIE, TMPFS

NOBODY = 65534
HOST = b"homework"  # what uname tells, instead of the machine's own name
RLIMIT_MSGQUEUE = 12  # Python has no name for it

# Flags of unshare and clone.
NEW_NAMESPACES = (
    0x00020000  # mount
    | 0x04000000  # host name
    | 0x08000000  # IPC
    | 0x10000000  # user
    | 0x20000000  # process
    | 0x40000000  # network
)
NEW_CGROUP = 0x02000000
# Flags of mount.
READ_ONLY = 1
NOSUID = 2
NODEV = 4
NOEXEC = 8
# Commands of prctl.
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)

# System calls that no homework needs: new namespaces and mounts, other processes' memory, memory
# that no limit counts (that of sockets too, some of which reach the host of a virtual machine
# whatever the namespace), other submissions' cores, and corners of the kernel where its own faults
# have been; their numbers on x86_64 and aarch64.
DENIED = {
    "socket": (41, 198),
    "socketpair": (53, 199),
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
    "statmount": (457, 457),
    "listmount": (458, 458),
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
# Instructions of classic BPF.
LOAD = 0x20
AND = 0x54
EQUAL = 0x15
AT_LEAST = 0x35
RETURN = 6
# System calls of which some are denied: numbers, where the argument is, its bits that count, test
# and value. Namespaces; shared memory without a file, which stays when no process shows it any
# more.
DENIED_IF = {
    "clone": ((56, 220), 16, NEW_NAMESPACES | NEW_CGROUP, AT_LEAST, 1),
    "mmap": ((9, 222), 40, 0x21, EQUAL, 0x21),
}
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32_CALLS = 0x40000000  # from here on, numbers of another ABI
# What a filter returns.
ALLOW = 0x7FFF0000
KILL = 0x80000000
EPERM = 0x50001
ENOSYS = 0x50026


def drop_root() -> None:
    """Become nobody, if the sandbox was started by root."""
    if os.getuid() == 0:
        os.chmod("/tmp", 0o1777)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))  # or /proc/self would still be root's


def lock(keep: int) -> None:
    """Build the walls, and return in a grandchild that is process 1; one descriptor stays open."""
    uid = os.getuid()
    gid = os.getgid()
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    check(libc.unshare(NEW_NAMESPACES))
    for rename in (libc.sethostname, libc.setdomainname):
        check(rename(HOST, len(HOST)))
    write_to_self("setgroups", "deny")
    write_to_self("uid_map", f"1000 {uid} 1")
    write_to_self("gid_map", f"1000 {gid} 1")
    for place, options in TMPFS.items():
        flags = NOSUID | NODEV
        if place == "/proc":
            flags |= READ_ONLY | NOEXEC
        check(libc.mount(b"tmpfs", place.encode(), b"tmpfs", flags, options.encode()))
    os.chdir("/tmp")
    if os.fork():
        os._exit(0)
    os.setsid()
    os.closerange(3, keep)
    os.closerange(keep + 1, 1024)
    limit_resources()
    drop_capabilities()
    check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))  # or nobody could see whose memory is shared
    filter_calls()


def write_to_self(name: str, text: str) -> None:
    """Write a setting of this process."""
    with open(f"/proc/self/{name}", "w") as file:
        file.write(text)


def limit_resources() -> None:
    """Take no more than RESOURCES, nor more than we may have ourselves."""
    for name, most in RESOURCES.items():
        number = getattr(resource, f"RLIMIT_{name}", RLIMIT_MSGQUEUE)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(number, (most, most))


def drop_capabilities() -> None:
    """Give up all capabilities, for ever."""
    capability = 0
    while libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    none = struct.pack("6I", *[0] * 6)
    check(libc.capset(header, none))


def filter_calls() -> None:
    """Let the kernel refuse system calls, whose numbers depend on the processor."""
    if platform.machine() not in ARCHITECTURES:
        raise OSError(unknown_processor())
    program = filter_program(*ARCHITECTURES[platform.machine()])
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    about = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(about), 0, 0))


def unknown_processor() -> str:
    """Say what there is no filter for, or nothing."""
    machine = platform.machine()
    if machine in ARCHITECTURES:
        return ""
    return f"no filter of system calls for the processor {machine}, but {', '.join(ARCHITECTURES)}"


def filter_program(column: int, audit: int) -> list[tuple[int, int, int, int]]:
    """Return the filter as lines of classic BPF: code, jump if true, jump if false, value."""
    program = [
        (LOAD, 0, 0, 4),
        (EQUAL, 1, 0, audit),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, 0),
        (AT_LEAST, 0, 1, X32_CALLS),
        (RETURN, 0, 0, KILL),
        (EQUAL, 0, 1, CLONE3),
        (RETURN, 0, 0, ENOSYS),
    ]
    for numbers in DENIED.values():
        program += [(EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, EPERM)]
    for numbers, place, bits, test, value in DENIED_IF.values():
        program += [
            (EQUAL, 0, 5, numbers[column]),
            (LOAD, 0, 0, place),
            (AND, 0, 0, bits),
            (test, 0, 1, value),
            (RETURN, 0, 0, EPERM),
            (RETURN, 0, 0, ALLOW),
        ]
    return [*program, (RETURN, 0, 0, ALLOW)]


def check(result: int) -> None:
    """Raise OSError if a system call has failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def end_others() -> None:
    """End every other process of the sandbox: we are its process 1, and all others came from us."""
    deadline = time.monotonic() + SECONDS_TO_DIE
    while time.monotonic() < deadline:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.001)
        except ChildProcessError:
            return
    os._exit(1)  # with process 1 the whole sandbox goes


def processes() -> list[int]:
    """Return all processes that we see."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def exceeds(most: int, base: int) -> bool:
    """Tell whether all processes together hold more than so many bytes beyond our own at first.

    A sum in which shared pages count for each process is quickly made, and settles most cases.
    """
    pids = processes()
    if sum(map(memory_of, pids)) <= most:
        return False
    return sum(map(share_of, pids)) - base > most


def share_of(pid: int) -> int:
    """Return the bytes of a process backed by no file; a page shared by n counts 1/n for each."""
    try:
        lines = fields_in(f"/proc/{pid}/smaps_rollup")
        names = (b"Pss_Anon", b"Pss_Shmem", b"SwapPss")
        if b"Pss_Anon" not in lines:  # before Linux 5.4
            names = (b"Pss", b"SwapPss")
        return sum(int(lines[name].split()[0]) for name in names) << 10
    except (OSError, KeyError, ValueError):  # it hides, or its first thread has ended
        return memory_of(pid)


def memory_of(pid: int) -> int:
    """Return the bytes of memory of a process that are backed by no file, 0 if it has gone."""
    found = memory_in(f"/proc/{pid}")
    if found:
        return found
    try:  # if the first thread has ended, only the others still show the memory
        threads = os.listdir(f"/proc/{pid}/task")
        return max(memory_in(f"/proc/{pid}/task/{thread}") for thread in threads)
    except (OSError, ValueError):
        return 0


def memory_in(folder: str) -> int:
    """Return the bytes that a status file tells of, 0 if there is none."""
    try:
        lines = fields_in(f"{folder}/status")
        names = (b"RssAnon", b"RssShmem", b"VmSwap")
        return sum(int(lines[name].split()[0]) for name in names) << 10
    except (OSError, KeyError, ValueError):
        return 0


def fields_in(path: str) -> dict[bytes, bytes]:
    """Return what the kernel says by name; in bytes, for a process may have a name that is none."""
    with open(path, "rb") as file:
        return dict(line.split(b":", 1) for line in file if b":" in line)
