"""What a student tries who should not: run in a kernel of the own server, as anybody may.

It is told where everything lies, as somebody who has read the documentation would know; it prints
what it found as JSON.
"""

import errno
import json
import os
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

KNOWN = globals()["known"]
DATA, COURSE, VICTIM = KNOWN["data"], KNOWN["course"], KNOWN["victim"]
ME = os.environ["USER"]
TOKEN = os.environ["JUPYTERHUB_API_TOKEN"]
INBOUND = Path("/exchange/halfspaces/inbound")
PRIVATE = {"grading.py", "scheme.md", "gradebook.db", "accounts.json", "jupyterhub.sqlite"}
PRIVATE |= {"cookie_secret", "late.toml", "submitted", "autograded", VICTIM}


def outcome(attempt):
    """Return what came of an attempt: the name of the error, or what it returned."""
    try:
        return attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


def seen():
    """Return every path outside of the system and Python that has a private name."""
    found = []
    for top, folders, files in os.walk("/"):
        folders[:] = [
            name for name in folders if f"{top}/{name}" not in ("//proc", "//usr", "//sys")
        ]
        if "site-packages" in top or "/.pyenv/" in top:
            folders.clear()
            continue
        found += [f"{top}/{name}" for name in [*folders, *files] if name in PRIVATE]
    return found


def ask(url, token=TOKEN, method="GET", body=None):
    """Return the status of an answer, or why there is none."""
    headers = {"Authorization": f"token {token}"} if token else {}
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return 302 if "/hub/login" in answer.url else answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError as error:
        return type(error).__name__


def others_in_proc():
    """Return the users of processes that can be looked into, and programs of the hub's own."""
    users, programs = set(), set()
    for path in Path("/proc").glob("[0-9]*"):
        words = outcome((path / "cmdline").read_bytes)
        programs |= {
            name for name in ("configurable-http-proxy", "jupyterhub_config") if name in str(words)
        }
        text = outcome((path / "environ").read_bytes)
        if isinstance(text, bytes):
            users |= {line[5:].decode() for line in text.split(b"\0") if line.startswith(b"USER=")}
    return sorted(users), sorted(programs)


def submissions():
    """Hand in what should never be read: links, pipes, others' names, too much."""
    (INBOUND / f"{ME}+hw00+2001-01-01 00:00:00.000000 UTC+link").mkdir()
    link = INBOUND / f"{ME}+hw00+2001-01-01 00:00:00.000000 UTC+link" / "hw00.ipynb"
    link.symlink_to(f"{COURSE}/source/hw00/hw00.ipynb")
    whole = INBOUND / f"{ME}+hw00+2001-01-02 00:00:00.000000 UTC+folder"
    whole.symlink_to(f"{DATA}/exchange/halfspaces/inbound/{VICTIM}")
    pipe = INBOUND / f"{ME}+hw00+2001-01-03 00:00:00.000000 UTC+pipe"
    pipe.mkdir()
    os.mkfifo(pipe / "hw00.ipynb")
    forged = INBOUND / f"{VICTIM}+hw00+2099-01-01 00:00:00.000000 UTC+forged"
    forged.mkdir()
    (forged / "hw00.ipynb").write_text("{}")
    large = INBOUND / f"{ME}+hw00+2001-01-04 00:00:00.000000 UTC+large"
    large.mkdir()
    (large / "hw00.ipynb").write_bytes(b" " * (25 << 20))
    shut = INBOUND / f"{ME}+hw00+..+shut\n[0m"
    shut.mkdir()
    (shut / "hw00.ipynb").write_text("{}")
    (shut / "hw00.ipynb").chmod(0)
    shut.chmod(0)
    return len(os.listdir(INBOUND))


def link_out():
    """Put a link in the place of a folder that the hub mounts when the server starts again."""
    results = {}
    for place in (f"/home/{ME}", "/tmp", "/exchange/halfspaces/inbound", "/dev/shm"):
        results[place] = outcome(lambda place=place: os.rename(place, place + "-mine"))
    return results


def memory():
    """Take more memory than there is for one process."""
    try:
        return len(bytearray(3 << 30))
    except MemoryError:
        return "MemoryError"


def processes():
    """Start as many threads as there may be."""
    stop, threads = threading.Event(), []
    try:
        for _ in range(1000):
            thread = threading.Thread(target=stop.wait)
            thread.start()
            threads.append(thread)
    except (RuntimeError, MemoryError):
        pass
    stop.set()
    for thread in threads:
        thread.join()
    return len(threads)


def large_file():
    """Write more into a file than there may be."""
    path = Path(f"/home/{ME}/large")
    try:
        with path.open("wb") as file:
            for _ in range(64):
                file.write(b"x" * (1 << 20))
        return "written"
    finally:
        path.unlink()


users, programs = others_in_proc()
hub, proxy, site = KNOWN["hub"], KNOWN["proxy"], KNOWN["site"]
exchange = f"{DATA}/exchange/halfspaces"
HIDDEN = [
    *(DATA, COURSE, f"{COURSE}/source", f"{exchange}/inbound", f"{exchange}/inbound/{VICTIM}"),
    *(f"{exchange}/feedback/{VICTIM}", f"{DATA}/homes/{VICTIM}", f"/home/{VICTIM}", "/root/.ssh"),
    f"/proc/{KNOWN['pid']}/root",
]
FIXED = [
    *("/", "/etc", "/dev", "/usr/bin", sys.prefix, "/course", "/course/exercises/release/hw00"),
    *("/exchange", "/exchange/halfspaces", "/exchange/halfspaces/outbound/hw00"),
    "/exchange/halfspaces/feedback",
]
REQUESTS = [
    *(("GET", "users"), ("GET", f"users/{VICTIM}"), ("POST", f"users/{VICTIM}/server")),
    *(("DELETE", f"users/{VICTIM}/server"), ("POST", f"users/{VICTIM}/tokens"), ("GET", "proxy")),
    *(("POST", "shutdown"), ("POST", "users/prof/server"), ("POST", f"users/{ME}/servers/x")),
    *(("PATCH", f"users/{ME}"), ("POST", "groups/x")),
]
PAGES = [
    *(f"{VICTIM}/api/contents", f"{VICTIM}/files/hw00/hw00.ipynb", "prof/formgrader/gradebook"),
    *("prof/formgrader/api/assignments", "prof/api/contents"),
]
TOKENS = [TOKEN, KNOWN["token"], ""]
found = {
    "uid": os.getuid(),
    "seen": seen(),
    "inbound": sorted(os.listdir(INBOUND)),
    "paths": {path: outcome(lambda path=path: os.listdir(path)) for path in HIDDEN},
    "writes": {path: outcome(lambda path=path: Path(path, "x").write_text("x")) for path in FIXED},
    "links": link_out(),
    "signal": outcome(lambda: os.kill(KNOWN["pid"], 0)),
    "users": users,
    "programs": programs,
    "setuid": outcome(lambda: os.setuid(0)),
    "hub": {
        f"{method} {path}": [ask(f"{hub}/hub/api/{path}", token, method) for token in TOKENS]
        for method, path in REQUESTS
    },
    "proxy": [ask(f"{proxy}/api/routes", token) for token in TOKENS],
    "servers": {path: [ask(f"{site}/user/{path}", token) for token in TOKENS] for path in PAGES},
    "port": [ask(f"{KNOWN['port']}/user/{VICTIM}/api/contents", token) for token in TOKENS],
    "formgrader": ask(f"{site}/user/{ME}/formgrader/gradebook", KNOWN["token"]),
    "memory": memory(),
    "processes": processes(),
    "large file": outcome(large_file),
    "entries": submissions(),
}
print(json.dumps(found))
