"""A class of thirty at a real hub: they fetch, work and hand in; one grades; one attacks.

Six have servers of their own here, among them the instructor; the others do the same behind the
same walls by nbgrader's code alone, which is quicker. HUB_SERVERS=all gives everybody a server.
"""

import json
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("the hub runs on Linux alone", allow_module_level=True)
pytest.importorskip("nbgrader")
pytest.importorskip("jupyterhub")

from coursekit.browser import browse
from coursekit.browser import missing as missing_browser
from coursekit.homework.grading.sandbox import missing as missing_sandbox
from homework_class import MODEL
from running_hub import RunningHub, missing
from visitor import Visitor

FAULT = missing() or missing_sandbox()
pytestmark = pytest.mark.skipif(bool(FAULT), reason=FAULT or "there is a hub")

STUDENTS = [f"s{number:02}" for number in range(1, 31)]
BY_BROWSER, VICTIM, TWICE, LATE, FORGER, ATTACKER, NEVER, BROKEN, EXTENDED = STUDENTS[:9]
AFTER_DUE = (LATE, FORGER, EXTENDED)
WITH_SERVERS = STUDENTS if os.environ.get("HUB_SERVERS") == "all" else STUDENTS[:4]
WRONG = {"q1": "def count_mistakes(y, labels):\n    return 1"}
AT_A_TIME = 4

# What a student does without a server: the code by which JupyterLab's list of assignments does it.
WORK = """
import json, sys
from pathlib import Path
from nbgrader.server_extensions.assignment_list.handlers import AssignmentList
assignments = AssignmentList()
assignments.root_dir = "."
about = json.loads(sys.argv[1])
done = []
for what in about["steps"]:
    if what == "fetch":
        done.append(assignments.fetch_assignment("halfspaces", "hw00"))
    elif what == "submit":
        done.append(assignments.submit_assignment("halfspaces", "hw00"))
    elif what == "feedback":
        done.append(assignments.fetch_feedback("halfspaces", "hw00"))
    elif what == "forge":
        import os
        for entry in Path("/exchange/halfspaces/inbound").iterdir():
            (entry / "timestamp.txt").write_text("2001-01-01 00:00:00.000000 UTC")
            for path in [*entry.iterdir(), entry]:
                os.utime(path, (0, 0))
            entry.rename(entry.with_name(sys.argv[2] + "+hw00+2001-01-01 00:00:00.000000 UTC+x"))
    else:
        path = Path("hw00/hw00.ipynb")
        if about["text"] is not None:
            path.write_text(about["text"])
        else:
            book = json.loads(path.read_text())
            for cell in book["cells"]:
                id = cell["metadata"].get("nbgrader", {}).get("grade_id")
                cell["source"] = about["answers"].get(id, cell["source"])
            path.write_text(json.dumps(book).replace("your id", sys.argv[2]))
assert all(each["success"] for each in done), done
pages = [path.read_text() for path in Path("hw00").glob("feedback/*/hw00.html")]
print(json.dumps(pages))
"""


def without_server(hub, student, steps, answers=None, text=None):
    about = {"steps": steps, "answers": MODEL | (answers or {}), "text": text}
    return json.loads(hub.as_student(student, WORK, json.dumps(about), student).splitlines()[-1])


def answer(book, student, answers):
    """Fill in a fetched notebook."""
    for cell in book["cells"]:
        id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = answers.get(id, cell["source"])
    return json.loads(json.dumps(book).replace("your id", student))


def log_in(hub, name):
    visitor = Visitor(hub.url, name)
    assert visitor.log_in(hub.passwords[name])
    return visitor


@contextmanager
def server_of(hub, name):
    visitor = log_in(hub, name)
    visitor.start()
    try:
        yield visitor
    finally:
        visitor.stop()


def hand_in_by_server(hub, student, answers=None, text=None):
    with server_of(hub, student) as visitor:
        listed = visitor.fetch("hw00")
        assert [each["status"] for each in listed["value"]] == ["fetched"], listed
        if text is None:
            book = answer(visitor.read("hw00/hw00.ipynb"), student, MODEL | (answers or {}))
            visitor.write("hw00/hw00.ipynb", book)
        else:
            visitor.write("hw00/hw00.ipynb", text, "file")
        said = visitor.submit("hw00")
        assert "submitted" in [each["status"] for each in said["value"]], said
        if student == TWICE:
            visitor.write("hw00/hw00.ipynb", answer(book, student, MODEL))
            visitor.submit("hw00")


def hand_in(hub, student):
    """Fetch, work, and hand in, each in their own way."""
    answers = WRONG if student == TWICE else {}
    text = "no notebook" if student == BROKEN else None
    if student == NEVER:
        without_server(hub, student, ["fetch"])
    elif student in WITH_SERVERS:
        hand_in_by_server(hub, student, answers, text)
    else:
        without_server(hub, student, ["fetch", "work", "submit"], answers, text)
    if student == FORGER:
        without_server(hub, student, ["forge"])


def hand_in_by_browser(hub, student):
    """Log in by the form, and use JupyterLab's list of assignments."""
    with browse() as page:
        page.set_default_timeout(180_000)
        page.goto(hub.url)
        page.fill("#username_input", student)
        page.fill("#password_input", hub.passwords[student])
        page.click("#login_submit")
        page.wait_for_url("**/lab**")
        page.wait_for_selector("#jp-main-dock-panel")
        page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
        items = page.locator(".lm-Menu-itemLabel")
        assert not [text for text in items.all_inner_texts() if "Formgrader" in text]
        items.get_by_text("Assignment List", exact=True).click()
        released = page.locator("#released_assignments_list, #released_assignments_list_box")
        released.get_by_role("button", name="Fetch").click()
        submit = page.get_by_role("button", name="Submit", exact=True)
        submit.wait_for()
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=f"{folder}/hub-list.png")
        visitor = log_in(hub, student)
        book = answer(visitor.read("hw00/hw00.ipynb"), student, MODEL)
        visitor.write("hw00/hw00.ipynb", book)
        submit.click()
        page.get_by_text("feedback", exact=False).first.wait_for()
    visitor.stop()


def attack(hub):
    """Let one student try what should not work, while the victim's server runs."""
    with server_of(hub, VICTIM), server_of(hub, ATTACKER) as attacker:
        before = attacker.mine("GET", "api/status")[1]["started"]
        # A hub that starts again in the middle of all this finds both servers as they were.
        hub.stop()
        hub.start()
        attacker = log_in(hub, ATTACKER)
        assert attacker.mine("GET", "api/status")[1]["started"] == before
        known = {
            "data": str(hub.places.data),
            "course": str(hub.course),
            "victim": VICTIM,
            "token": attacker.token,
            "pid": hub.process.pid,
            "hub": f"http://127.0.0.1:{hub.ports['hub']}",
            "proxy": f"http://127.0.0.1:{hub.ports['proxy']}",
            "port": re.findall(rf"to proxy /user/{VICTIM}/ => (\S+)", hub.said())[-1],
            "site": hub.url,
        }
        code = (Path(__file__).parent / "attacks.py").read_text("utf-8")
        found = json.loads(attacker.execute(f"known = {known!r}\n{code}"))
        commands = [["grade", "hw00"], ["collect", "exchange", "hw00"]]
        said = attacker.execute(
            "import subprocess, sys\n"
            f"for words in {commands}:\n"
            "    words = [sys.executable, '-m', 'coursekit', *words]\n"
            "    print(subprocess.run(words, capture_output=True, timeout=100).returncode)"
        )
        found["commands"] = list(map(int, said.split()))
        assert attacker.submit("hw00")["success"]
        assert attacker.mine("GET", "api/status")[0] == 200, "the server survives its owner"
    return found


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """Start a hub that has handed out a homework, with a class that has an account each."""
    folder = tmp_path_factory.mktemp("hub")
    with RunningHub(folder, STUDENTS) as hub:
        done = hub.command("release", "hw00", "--to", "exchange")
        assert done.returncode == 0, done.stderr
        yield hub


@pytest.fixture(scope="module")
def term(hub):
    """Let the class hand in, grade it, and give it back; return what was said and seen."""
    began = time.monotonic()
    seconds = {}

    def passed(what):
        seconds[what] = round(time.monotonic() - began - sum(seconds.values()), 1)

    in_time = [student for student in STUDENTS if student not in AFTER_DUE]
    if not missing_browser():
        hand_in_by_browser(hub, in_time.pop(0))
        passed("a browser")
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(lambda student: hand_in(hub, student), in_time))
    passed("in time")
    due = datetime.now(UTC) + timedelta(seconds=1)
    more = (due + timedelta(days=2)).isoformat()
    (hub.course / "late.toml").write_text(
        f"[hw00]\ndue = {due.isoformat()}\npenalty = {{ points = 1, per = 'day' }}\n"
        f"[hw00.extensions]\n{EXTENDED} = {more}\n"
    )
    time.sleep(1)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(lambda student: hand_in(hub, student), AFTER_DUE))
    passed("late")
    attacks = attack(hub)
    passed("attacks")
    collected = hub.command("collect", "exchange", "hw00")
    graded = hub.command("grade", "hw00")
    passed("collect and grade")
    mark(hub)
    passed("mark")
    pages = hub.command("grade", "hw00", "--feedback")
    returned = hub.command("return", "hw00", "--to", "exchange")
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        wanting = [student for student in STUDENTS if student != NEVER]
        if WITH_SERVERS != STUDENTS:
            wanting = wanting[:8]
        seen = pool.map(lambda student: without_server(hub, student, ["feedback"]), wanting)
        feedback = dict(zip(wanting, seen, strict=True))
    passed("feedback")
    print(seconds)
    return {
        "attacks": attacks,
        "collected": collected,
        "graded": graded,
        "pages": pages,
        "returned": returned,
        "feedback": feedback,
    }


def mark(hub):
    """Mark a proof in formgrader, in the instructor's own server."""
    with server_of(hub, "prof") as prof:
        status, listed = prof.mine("GET", "formgrader/api/submitted_notebooks/hw00/hw00")
        assert status == 200, listed
        [found] = [each for each in listed if each["student"] == VICTIM]
        status, grades = prof.mine("GET", f"formgrader/api/grades?submission_id={found['id']}")
        [proof] = [each for each in grades if each["name"] == "proof1"]
        marked = proof | {"manual_score": 0.5, "extra_credit": None}
        status, said = prof.mine("PUT", f"formgrader/api/grade/{proof['id']}", marked)
        assert status == 200, said
        status, said = prof.mine("POST", f"formgrader/api/submission/hw00/{VICTIM}/autograde")
        assert not said["success"] and "unprotected" in str(said)


def line_of(term, student):
    [line] = re.findall(rf"^{student}\b.*$", term["graded"].stdout, re.MULTILINE)
    return line


def test_everybody_is_graded_once(term):
    assert term["graded"].returncode == 0, term["graded"].stderr
    assert re.search("29 submissions: .*28 graded", term["graded"].stdout), term["graded"].stdout
    for student in set(STUDENTS) - {NEVER, BROKEN}:
        assert re.match(rf"{student} +4 of", line_of(term, student))
    assert "unreadable" in line_of(term, BROKEN)
    assert NEVER not in term["graded"].stdout


def test_the_last_of_two_counts_and_the_first_is_kept(hub, term):
    [kept] = (hub.course / "attempts" / TWICE / "hw00").iterdir()
    assert "return 1" in kept.read_text("utf-8")


def test_the_clock_of_the_exchange_counts_and_not_the_students(term):
    late = {student for student in STUDENTS if f"\n{student}" in term["graded"].stdout}
    late = {student for student in late if "hours late" in line_of(term, student)}
    assert late == {LATE, FORGER, ATTACKER}
    assert all("costs 1 points" in line_of(term, student) for student in late)


def test_what_is_no_submission_gets_a_sentence_and_is_not_read(hub, term):
    assert term["collected"].returncode == 1
    said = term["collected"].stderr
    for reason in (
        *("Too many levels of symbolic links", "Not a directory", "no ordinary file"),
        *(f"claims to be {VICTIM}'s", "larger than 20 MB"),
    ):
        assert re.search(rf"^{ATTACKER}: .*{reason}", said, re.MULTILINE), reason
    assert "\x1b" not in said and "29 submissions of hw00" in term["collected"].stdout
    everything = b"".join(
        path.read_bytes()
        for folder in ("submitted", "attempts")
        for path in (hub.course / folder / ATTACKER).rglob("*.ipynb")
    )
    assert b"BEGIN SOLUTION" not in everything and VICTIM.encode() not in everything


def test_each_sees_the_own_feedback_alone(hub, term):
    assert term["pages"].returncode == 0 and "29 pages" in term["pages"].stdout
    for student, pages in term["feedback"].items():
        assert len(pages) == 1, student
        named = [other for other in STUDENTS if re.search(rf"\b{other}\b", pages[0])]
        assert named == [student]
    assert "0.5 of 1" in term["feedback"][VICTIM][0]
    look = "import os; print(len(os.listdir('/exchange/halfspaces/feedback')))"
    assert hub.as_student(ATTACKER, look) == "1\n"
    assert hub.as_student(NEVER, look) == "0\n"
    assert re.search(r"^s\d\d: a mark by hand is still missing", term["returned"].stderr, re.M)


def test_an_attacker_sees_nothing_of_others(term):
    found = term["attacks"]
    assert found["seen"] == []
    assert found["inbound"] and all(name.startswith(ATTACKER) for name in found["inbound"])
    assert set(found["paths"].values()) == {"ENOENT"}, found["paths"]
    assert set(found["writes"].values()) <= {"EROFS", "EACCES"}, found["writes"]
    assert set(found["links"].values()) <= {"EROFS", "EBUSY", "EXDEV"}, found["links"]
    assert found["signal"] == "ESRCH" and found["setuid"] in ("EPERM", "EINVAL")
    assert found["users"] == [ATTACKER] and found["programs"] == []


def test_an_attacker_reaches_no_server_of_others(term):
    found = term["attacks"]
    for path, answers in found["hub"].items():
        assert set(answers) <= {400, 403, 404, 405}, (path, answers)
    assert set(found["proxy"]) == {403}
    for path, answers in (*found["servers"].items(), ("port", found["port"])):
        assert set(answers) <= {302, 403, 404}, (path, answers)
    assert found["formgrader"] == 404
    assert 0 not in found["commands"] and len(found["commands"]) == 2


def test_an_attacker_meets_limits(hub, term):
    found = term["attacks"]
    assert found["memory"] == "MemoryError"
    assert 20 < found["processes"] < hub.settings.limits.processes
    assert found["large file"] == "EFBIG"
    assert found["entries"] >= 7


def test_logging_in_takes_the_own_password(hub):
    for name, password in (
        ("prof", hub.passwords[ATTACKER]),
        (VICTIM, hub.passwords[ATTACKER]),
        (VICTIM, ""),
        ("nobody", hub.passwords[ATTACKER]),
        (f"../{VICTIM}", hub.passwords[VICTIM]),
        (f"{VICTIM}/", hub.passwords[VICTIM]),
    ):
        assert not Visitor(hub.url, name).log_in(password), name


def test_what_the_hub_keeps_is_for_its_owner_alone(hub):
    for path in (hub.places.data, hub.places.hub, hub.places.home(VICTIM)):
        assert path.stat().st_mode & 0o077 == 0, path
    assert (hub.places.hub / "accounts.json").stat().st_mode & 0o077 == 0
    assert not any(password in hub.said() for password in hub.passwords.values())
