"""The exchange takes what is a submission, whose and when by the machine's word; no hub runs."""

import ast
import os
import re
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("there is no exchange on Windows", allow_module_level=True)
pytest.importorskip("nbgrader")
pytest.importorskip("jupyterhub")

from coursekit import ROOT
from coursekit.homework.platforms import exchange
from coursekit.homework.platforms.collect import collect
from coursekit.hub import walls
from coursekit.hub.accounts import FILE, Accounts, invite, knows
from coursekit.hub.places import Account, find_places
from coursekit.hub.settings import Limits, read_settings
from homework_class import make_course, signed, submission

LIMITS = Limits(1 << 30, 1 << 20, 1.5, 100, 10, 2, 30, systemd=True)


@pytest.fixture
def places(tmp_path):
    """Make an exchange with two students."""
    course = make_course(tmp_path / "course" / "exercises", {})
    places = find_places(tmp_path / "data", course)
    places.prepare()
    for student in ("ada", "bob"):
        places.prepare_for(student)
    return places


def put(places, student, entry, data=b"{}", name="hw00.ipynb"):
    folder = places.inbound(student) / entry
    folder.mkdir()
    (folder / name).write_bytes(data)
    return folder


def test_the_folder_says_whose_and_the_clock_when(places):
    old = put(places, "ada", "ada+hw00+2001-01-01 00:00:00.000000 UTC+x")
    for path in (old / "hw00.ipynb", old):
        os.utime(path, (0, 0))
    put(places, "ada", "bob+hw00+2099-01-01 00:00:00.000000 UTC+x")
    put(places, "ada", "ada+hw01+2099-01-01 00:00:00.000000 UTC+x", name="hw01.ipynb")
    [handed], [fault] = exchange.read_exchange(places.exchange, "hw00")
    assert handed.names == {"login": "ada"} and handed.path.startswith("ada/ada+hw00")
    assert abs((handed.when - datetime.now(UTC)).total_seconds()) < 600
    assert "claims to be bob's" in fault


def test_a_change_after_handing_in_is_a_new_time(places):
    folder = put(places, "ada", "ada+hw00+t+x")
    [first], _ = exchange.read_exchange(places.exchange, "hw00")
    (folder / "hw00.ipynb").write_bytes(b"{ }")
    os.utime(folder / "hw00.ipynb", (0, 0))
    [second], _ = exchange.read_exchange(places.exchange, "hw00")
    assert second.when > first.when


def test_links_pipes_and_folders_are_not_read(places, tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text("the solution")
    folder = put(places, "ada", "ada+hw00+1+x")
    (folder / "hw00.ipynb").unlink()
    (folder / "hw00.ipynb").symlink_to(secret)
    (places.inbound("ada") / "ada+hw00+2+x").symlink_to(put(places, "bob", "bob+hw00+1+x"))
    pipe = put(places, "ada", "ada+hw00+3+x")
    (pipe / "hw00.ipynb").unlink()
    os.mkfifo(pipe / "hw00.ipynb")
    nested = put(places, "ada", "ada+hw00+4+x", name="other.txt")
    (nested / "hw00.ipynb").mkdir()
    put(places, "ada", "ada+hw00+5+x", name="notes.txt")
    large = put(places, "ada", "ada+hw00+6+x")
    os.truncate(large / "hw00.ipynb", 21 << 20)
    (places.inbound("ada") / "+hw00+").write_text("a file")
    handed, faults = exchange.read_exchange(places.exchange, "hw00")
    assert [each.key for each in handed] == ["bob"]
    assert len(faults) == 7 and all(fault.startswith("ada: ") for fault in faults)


def test_a_folder_that_becomes_a_link_meanwhile_is_not_followed(places, tmp_path):
    folder = put(places, "ada", "ada+hw00+1+x")
    [handed], _ = exchange.read_exchange(places.exchange, "hw00")
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(put(places, "bob", "bob+hw00+1+x", b"bob's work"))
    with pytest.raises(ValueError, match="cannot be read"):
        exchange.read_handed(places.exchange, handed)


def test_what_was_collected_keeps_its_time_when_it_comes_back_from_a_backup(places, capsys):
    course = places.data.parent / "course" / "exercises"
    data = signed(submission(course / "source"), "ada")
    folder = put(places, "ada", "ada+hw00+1+x", data)
    assert collect(places.exchange, "hw00", course=course) == 0
    stamp = course / "submitted/ada/hw00/timestamp.txt"
    stamp.write_text("2001-01-01 00:00:00 UTC")  # as if that were long ago
    os.utime(folder)
    assert collect(places.exchange, "hw00", course=course) == 0
    assert stamp.read_text() == "2001-01-01 00:00:00 UTC"
    (folder / "hw00.ipynb").write_bytes(data + b"\n")
    assert collect(places.exchange, "hw00", course=course) == 0
    assert stamp.read_text() > "2020"
    assert len(list((course / "attempts/ada/hw00").iterdir())) == 1
    for name in ("submitted", "attempts"):
        assert (course / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "name", ["../bob", "a/b", "", ".", "..", "A", "a+b", "a\nb", "a" * 65, "-a"]
)
def test_nobody_can_be_called_what_leads_elsewhere(places, name):
    with pytest.raises(ValueError, match="cannot have a server"):
        places.inbound(name)
    with pytest.raises(ValueError, match="cannot be the name"):
        invite(places, [name])


def test_passwords_are_kept_as_hashes_and_drawn_once(places):
    fresh = invite(places, ["ada", "bob"])
    file = places.hub / FILE
    assert invite(places, ["ada", "cyd"]).keys() == {"cyd"}
    assert knows(file, "ada", fresh["ada"]) and not knows(file, "ada", fresh["bob"])
    assert not knows(file, "dan", "") and not knows(file, "ada", "")
    assert fresh["ada"] not in file.read_text() and file.stat().st_mode & 0o077 == 0
    accounts = Accounts(file=str(file))
    assert accounts.validate_username("ada") and not accounts.validate_username("dan")


def test_walls_show_the_own_part_alone(places):
    words = walls.behind_walls("ada", places, Account(200_000, 200_000), LIMITS)
    text = " ".join(words)
    assert words[0] == "systemd-run" and "--property=MemoryMax=1073741824" in words
    assert "--property=CPUQuota=150%" in words and "--property=TasksMax=100" in words
    assert "bob" not in text and "--share-net" not in text
    shown = [words[i + 1] for i, word in enumerate(words) if word in ("--bind", "--ro-bind")]
    places_of_others = (ROOT / "exercises", ROOT / "tests", places.data / "hub")
    assert not [path for path in shown for other in places_of_others if other in Path(path).parents]
    assert not {str(ROOT), str(places.data), *map(str, places_of_others)} & set(shown)
    own = (places.inbound, places.feedback, places.home, places.temporary)
    own = {place("ada") for place in (*own, places.shared_memory, places.passwd)}
    of_class = {Path(path) for path in shown if places.data in Path(path).parents}
    assert of_class == own | {places.outbound}
    writable = [words[i + 2] for i, word in enumerate(words) if word == "--bind"]
    assert writable == ["/home/ada", "/tmp", "/dev/shm", "/exchange/halfspaces/inbound"]


def test_nothing_private_lies_in_what_is_shown(places):
    if not walls.missing():
        assert "which students see" in walls.missing(Path(sys.prefix) / "data")
        assert "which students see" in walls.missing(Path("/usr/local/share/halfspaces"))
        assert walls.missing(places.data) == ""


def test_settings_that_do_not_serve_are_sentences(tmp_path):
    good = (ROOT / "deploy" / "hub.toml").read_text("utf-8")
    assert read_settings(ROOT / "deploy" / "hub.toml").limits.memory == 2 << 30
    for old, new, sentence in (
        ('"2G"', '"2 GB"', "is no size such as"),
        ("servers = 40", "servers = 0", "is no number above 0"),
        ("[limits]", "[limit]", "nothing called limit"),
        ("processes = 512", "", "'processes' is missing"),
        ("listen =", "listens =", "nothing called listens"),
    ):
        path = tmp_path / "hub.toml"
        path.write_text(good.replace(old, new))
        with pytest.raises(ValueError, match=sentence):
            read_settings(path)


def test_fragments_in_the_documentation_are_whole():
    yaml = pytest.importorskip("yaml")
    text = (ROOT / "deploy" / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    kinds = [kind for kind, _ in blocks]
    assert {"python", "yaml", "ini", "dockerfile", "sh"} == set(kinds)
    for kind, block in blocks:
        if kind == "python":
            ast.parse(block)
        elif kind == "yaml":
            mounts = yaml.safe_load(block)["singleuser"]["storage"]["extraVolumeMounts"]
            assert [each.get("readOnly", False) for each in mounts.values()] == [True, False, True]
    copied = re.findall(r"^COPY (?:--\S+ )?(.+) \S+$", dict(blocks)["dockerfile"], re.MULTILINE)
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), name
    assert not any("exercises" in name for name in copied)
    settings = tomllib.loads((ROOT / "deploy" / "hub.toml").read_text("utf-8"))
    for name in ("systemd", "domains", "servers", "memory"):
        assert name in settings or name in settings["limits"]
        assert f"`{name}" in text
