"""How the voting room stands a full lecture hall, and what the notebook feels of it.

The room runs in a kernel, 500 voters in a process of their own, on loopback. Each opens the page,
thinks, votes, is sent back to the page, then follows the slides, and keeps asking whether anything
is new, as phones do; every tenth changes the vote, every tenth sends it twice, every tenth is lost.
Meanwhile the lecturer turns the slides, each with a picture, and runs small cells. "theirs" is what
is allowed, or the kernel without voters.
"""

import ast
import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.measuring import Row

VOTERS = 500
ARRIVALS = 7.0  # seconds in which they arrive
LONGEST = 90.0  # seconds after which voters give up
LIMIT = 10.0  # seconds that all may take
PATIENCE = 100  # milliseconds that an answer, or a small cell, may take
NAN = float("nan")
OPEN = """
from coursekit.lecture.room.panel import Room
from halfspaces.notebook.questions import Question
wrong = dict.fromkeys("ACD", "no")
choices = ["$1$", "$2$", "$3$", "$4$"]
room = Room(Question("bench", "What is $1+1$?", choices, "B", wrong, "-", "-"))
import base64, json, os
from coursekit.lecture.room import follow
room.hall.store.follow(True)
def turn(number):
    picture = base64.b64encode(os.urandom(60_000)).decode()
    output = {"output_type": "display_data", "data": {"image/png": picture}, "metadata": {}}
    cell = {"id": "c", "type": "code", "source": "x", "typed": False, "hidden": False}
    cells = [cell | {"outputs": [output]}]
    follow.show(json.dumps({"number": number, "title": "Slide", "cells": cells}))
turn(1)
"""
CELL = "sum(i * i for i in range(20_000))"
TURN = 2.0  # seconds between two slides
BUSY = "import time; end = time.monotonic() + {}\nwhile time.monotonic() < end: sum(range(1000))"


async def request(
    base: str, method: str, path: str, cookie: str = "", body: str = ""
) -> tuple[int, str, str, float]:
    """Send a request as a phone would; return status, cookie, body and milliseconds."""
    start = time.perf_counter()
    host = urlsplit(base).netloc
    reader, writer = await asyncio.open_connection(*host.split(":"))
    head = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    if cookie:
        head.append(f"Cookie: {cookie}")
    if body:
        head += [
            f"Origin: {base}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        ]
    writer.write("\r\n".join([*head, "", body]).encode())
    answer = ""
    with contextlib.suppress(ConnectionError):
        answer = (await asyncio.wait_for(reader.read(), 30)).decode()
    writer.close()
    issued = re.search(r"^Set-Cookie: (.*?);", answer, re.MULTILINE)
    if issued:
        cookie = issued[1]
    status = int(answer.split(" ", 2)[1]) if answer else 0
    return status, cookie, answer.partition("\r\n\r\n")[2], 1000 * (time.perf_counter() - start)


async def voter(
    address: str, number: int, delay: float, arrivals: float, end: float, seen: dict[str, Any]
) -> None:
    """Vote, perhaps change the vote, and follow the slides until the end."""
    rng = random.Random(number)
    base, _, code = address.rpartition("/")
    await asyncio.sleep(delay)
    cookie = ""

    async def ask(method: str, path: str, body: str = "") -> str:
        nonlocal cookie
        status, cookie, text, ms = await request(base, method, f"/{code}{path}", cookie, body)
        seen["ms"].append(ms)
        seen["statuses"][status] += 1
        return text

    await ask("GET", "")
    await ask("GET", "/room.js")
    votes = [rng.choice("ABC") for _ in range(2 if number % 10 == 0 else 1)]
    for letter in votes:
        await asyncio.sleep(rng.random() * arrivals / 10)
        for _ in range(2 if number % 10 == 1 else 1):
            await ask("POST", "", f"state=1.first&choice={letter}")
        await ask("GET", "")
    seen["votes"][votes[-1]] += 1
    seen["done"] = time.monotonic()
    state, told = "", await ask("GET", "/slide/state")
    while True:
        if told != state:
            page = await ask("GET", "/slide")
            state = told
            slide = re.search(r'name="slide" value="(\d+)"', page)
            if number % 10 == 2 and slide:
                await ask("POST", "/lost", f"state=x&slide={slide[1]}")
                seen["lost"] += 1
                number = 0
        wait = 3 + 2 * rng.random()
        if time.monotonic() + wait > end:
            break
        await asyncio.sleep(wait)
        told = await ask("GET", "/slide/state")


async def crowd(address: str, count: int, arrivals: float) -> dict[str, Any]:
    """Let all voters loose; return what they saw."""
    start = time.monotonic()
    end = start + arrivals + 5 if arrivals > 1 else start + arrivals + 1
    seen: dict[str, Any] = {
        "ms": [],
        "statuses": Counter(),
        "votes": Counter(),
        "lost": 0,
        "done": start,
    }
    voters = (voter(address, i, arrivals * i / count, arrivals, end, seen) for i in range(count))
    await asyncio.wait_for(asyncio.gather(*voters), LONGEST)
    ms = seen.pop("ms")
    quantiles = {f"p{percent}": percentile(ms, percent) for percent in (50, 95, 99)}
    seconds = seen["done"] - start
    return seen | quantiles | {"seconds": seconds, "requests": len(ms), "longest": max(ms)}


def crowd_of(address: str, count: int, arrivals: float) -> dict[str, Any]:
    """Let voters loose in this process; return what they saw."""
    return asyncio.run(crowd(address, count, arrivals))


def percentile(values: list[float], percent: int) -> float:
    """Return what so many per cent of the values do not exceed."""
    return statistics.quantiles(values, n=100)[percent - 1]


def send_crowd(address: str, arrivals: float) -> subprocess.Popen[str]:
    """Start the voters in a process of their own."""
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.room", address, str(arrivals)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": _path()},
    )


def measure(arrivals: float, cell: str) -> tuple[dict[str, Any], list[float], list[float]]:
    """Return what the voters saw, and the milliseconds a cell took before and while they voted."""
    from jupyter_client.manager import start_new_kernel

    with tempfile.TemporaryDirectory() as folder:
        manager, client = start_new_kernel(
            env=os.environ | {"HALFSPACES_VOTES": folder, "PYTHONPATH": _path()}
        )

        def run(code: str, expression: str = "None") -> Any:
            reply = client.execute_interactive(
                code,
                timeout=60,
                silent=True,
                output_hook=lambda _: None,
                user_expressions={"answer": f"__import__('json').dumps({expression})"},
            )
            answer = reply["content"]["user_expressions"]["answer"]["data"]["text/plain"]
            return json.loads(ast.literal_eval(answer))

        def timed() -> float:
            start = time.perf_counter()
            run(cell)
            return 1000 * (time.perf_counter() - start)

        try:
            address = run(OPEN, "room.address")
            idle = [timed() for _ in range(20)] if arrivals else []
            load = []
            before = run("", "__import__('time').process_time()")
            process = send_crowd(address, arrivals)
            turned = time.monotonic()
            while process.poll() is None:
                load.append(timed())
                if time.monotonic() - turned > TURN:
                    turned = time.monotonic()
                    run(f"turn({len(load)})")
                time.sleep(0.05)
            seen = json.loads(process.communicate()[0])
            seen["counted"] = run("", "{k: n for k, n in room.counts[0].items() if n}")
            used = run("", "__import__('time').process_time()") - before
            seen["cpu"] = 1000 * used / seen["requests"]
            seen["told"] = run("", "sum(map(len, room.hall.store.lost.values()))")
            (file,) = Path(folder).glob("*.jsonl")
            lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
            last = {line["device"]: line["vote"] for line in lines if "vote" in line}
            seen["kept"] = Counter(last.values())
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    return seen, idle, load


def rows(progress: Callable[[str], None] = lambda message: None) -> Iterator[Row]:
    """Yield one row for each measurement."""
    progress(f"{VOTERS} voters arriving within {ARRIVALS:g} s")
    others = ""
    if hasattr(os, "getloadavg"):
        others = f"; {os.getloadavg()[0]:.1f} others run on {os.cpu_count()} cores"
    seen, idle, load = measure(ARRIVALS, CELL)
    counted = sum(seen["counted"].values())
    well = [count for status, count in seen["statuses"].items() if status in ("200", "303")]
    refused = sum(seen["statuses"].values()) - sum(well)
    true = seen["counted"] == seen["kept"] == seen["votes"] and seen["told"] == seen["lost"]
    note = f"each choice as often as it was sent, also on disk; {refused} requests refused"
    if not true:
        note = f"sent {seen['votes']}, counted {seen['counted']}, kept {seen['kept']}"
    ratio = float(true and counted == VOTERS)
    yield "room: votes counted, of those sent", counted, VOTERS, ratio, 1, note
    yield (
        f"room: seconds until {VOTERS} have voted",
        seen["seconds"],
        LIMIT,
        LIMIT / seen["seconds"],
        1,
        f"{seen['requests']:,} requests; they arrive within {ARRIVALS:g} s",
    )
    yield (
        "room: ms an answer takes, 95th percentile",
        seen["p95"],
        PATIENCE,
        PATIENCE / seen["p95"],
        1,
        f"median {seen['p50']:.1f}, 99th {seen['p99']:.0f}, longest {seen['longest']:.0f}{others}",
    )
    yield (
        "room: ms of processor time for an answer",
        seen["cpu"],
        NAN,
        NAN,
        None,
        "the small cells included; what does not depend on who else is running",
    )
    quiet = statistics.median(idle)
    slow = percentile(load, 95)
    yield (
        "room: ms a small cell takes, 95th percentile",
        slow,
        PATIENCE,
        PATIENCE / slow,
        1,
        f"while they vote; median {statistics.median(load):.1f}, without voters {quiet:.1f}",
    )
    progress(f"{VOTERS} voters at once")
    seen, _, _ = measure(0, CELL)
    yield (
        f"room: seconds until {VOTERS} at once have voted",
        seen["seconds"],
        NAN,
        NAN,
        None,
        f"{sum(seen['counted'].values())} counted; 95th percentile {seen['p95']:.0f} ms",
    )
    progress(f"{VOTERS} voters while a cell computes")
    seen, _, _ = measure(ARRIVALS, BUSY.format(2))
    yield (
        "room: ms an answer takes while a cell computes",
        seen["p95"],
        NAN,
        NAN,
        None,
        f"95th percentile; {sum(seen['counted'].values())} counted; plain Python shares its lock",
    )


def _path() -> str:
    return os.pathsep.join(filter(None, sys.path))


if __name__ == "__main__":
    print(json.dumps(crowd_of(sys.argv[1], VOTERS, float(sys.argv[2]))))
