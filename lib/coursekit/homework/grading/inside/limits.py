"""Every limit of a grading, in one place."""

from dataclasses import dataclass

MB = 1 << 20
GB = 1 << 30


@dataclass(frozen=True)
class Limits:
    """Seconds for one cell, one call, and all that a submission does."""

    cell: float = 10
    call: float = 5
    total: float = 60


USUAL = Limits()

# Where others keep the processors busy, a cell or call may take so many times its seconds at most.
PATIENCE = 4
# Seconds that the grader itself may take beyond a submission's own.
GRACE = 60
# Seconds until the sandbox, a child in it, or a process of the pool must have started.
SANDBOX_START = 60
CHILD_START = 10
PROCESS_START = 120
# Processes of the pool that may fail to start before we give up.
FAILED_STARTS = 3
# Seconds in which all processes of a submission must be gone.
SECONDS_TO_DIE = 20
# How often the fork server looks at the memory of a submission, in seconds.
MEMORY_WATCH = 0.05

# What is read of a submitted notebook; pictures are in it.
NOTEBOOK_BYTES = 20 * MB
NOTEBOOK_CELLS = 2_000
ANSWER_LETTERS = 100_000
# Letters of a sentence that quotes a submission, and of an exception inside the sandbox.
SENTENCE_LETTERS = 200
# Letters of what a cell has shown that whoever marks gets to see.
SHOWN_LETTERS = 2_000
EXCEPTION_LETTERS = 1_000

# Bytes that all processes of a submission may hold together, and the address space of a grader.
SUBMISSION_MEMORY = 1 * GB
GRADER_MEMORY = 4 * GB
# What one process of a submission gets, by the names of the kernel's resource limits.
RESOURCES = {
    "AS": 2 * GB,
    "CPU": 120,
    "FSIZE": 16 * MB,
    "NOFILE": 64,
    "NPROC": 24,
    "CORE": 0,
    "MEMLOCK": 0,
    "MSGQUEUE": 0,
    "STACK": 64 * MB,
}
# The only places of a submission that can be written to, and an empty /proc.
TMPFS = {
    "/tmp": "size=16m,nr_inodes=2k,mode=700",
    "/dev/shm": "size=16m,nr_inodes=64,mode=700",
    "/proc": "size=4k,nr_inodes=2,mode=555",
}

# What passes between grader and sandbox: bytes of a frame, and what the plain data in it may be.
FRAME_BYTES = 4 * MB
ARRAY_BYTES = 4 * MB
ARRAY_AXES = 8
DEPTH = 40
INTEGER_BITS = 13_000  # not quite 4,000 digits
KEYS = 5_000  # of a set or dict
KEYS_ALIKE = 128  # with one hash: each is compared with all before it, minutes for 5,000 of them
FORMULA_VARIABLES = 1_000  # the halfspace of a formula has as many weights
