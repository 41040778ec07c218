"""course.py, on a small copy of the project."""

import ast
import io
import json
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec

import pytest
from coursekit.cli import make_parsers
from small_project import ROOT, load_course

COURSE = load_course(ROOT / "course.py")


# Commands


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"], ["help"]])
def test_lists_its_commands_without_setting_up(project, args):
    result = project.call(*args)
    assert result.returncode == 0
    for name, (_, description) in COURSE.COMMANDS.items():
        assert any(
            line.split(None, 1) == [name, description] for line in result.stdout.splitlines()
        )
    assert not (project.folder / ".venv").exists()


def test_commands_and_their_helps_are_those_of_coursekit():
    listed = {name: text for name, (_, text) in COURSE.COMMANDS.items()}
    _, commands = make_parsers()
    assert list(listed) == list(commands)
    for name, parser in commands.items():
        assert parser.description.lower() == f"{listed[name]}.".lower()
    assert {group for group, _ in COURSE.COMMANDS.values()} == set(COURSE.GROUPS)


@pytest.mark.parametrize("args", [["lab", "--help"], ["grade", "3", "-h"], ["help", "live"]])
def test_help_of_a_command_sets_nothing_up(project, args):
    result = project.call(*args)
    name = next(word for word in args if word in COURSE.COMMANDS)
    assert result.returncode == 0 and result.stderr == ""
    assert f"python3 course.py {name}: {COURSE.COMMANDS[name][1]}." in result.stdout
    assert not (project.folder / ".venv").exists()


def test_help_of_a_command_is_coursekits_once_it_is_there(project):
    project.fake_set_up()
    for args in (["lab", "--help"], ["help", "lab"]):
        assert json.loads(project.call(*args).stdout)["args"] == ["lab", "--help"]


def test_help_behind_two_dashes_is_for_another_program(project):
    assert not project.course.asks_for_help(["test", "--", "--help"])
    assert project.course.asks_for_help(["test", "--help", "--", "x"])


def test_unknown_command_is_one_sentence(project):
    result = project.call("lba")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and "'lba'" in result.stderr
    assert not (project.folder / ".venv").exists()


def test_unknown_command_of_coursekit_is_one_sentence():
    for args in (["nope"], [], ["../x"], ["help", "nope"]):
        result = subprocess.run(
            [sys.executable, "-m", "coursekit", *args], capture_output=True, text=True
        )
        assert result.returncode == 2 and result.stderr.count("\n") == 1


# Handing over


def test_hands_over_from_another_folder_and_after_a_move(project, tmp_path):
    project.fake_set_up()
    moved = tmp_path / "ö c"
    for folder in (project.folder, moved):
        if folder == moved:
            project.folder.rename(moved)
            project.folder = moved
        result = project.call(
            "lab", "--port", "1", cwd=tmp_path, PYTHONPATH="nowhere", PYTHONHOME=""
        )
        assert result.returncode == 0 and result.stderr == ""
        told = json.loads(result.stdout)
        assert told["args"] == ["lab", "--port", "1"]
        assert os.path.samefile(told["cwd"], tmp_path)
        assert os.path.samefile(told["python"], folder / ".venv")
        assert os.path.samefile(told["here"], folder / "lib/coursekit/__main__.py")


def test_passes_the_exit_code_on(project):
    project.fake_set_up()
    assert project.call("lab", "fail").returncode == 3


def test_modules_in_the_callers_folder_do_not_shadow_ours(project, tmp_path):
    project.fake_set_up()
    (tmp_path / "json.py").write_text("raise RuntimeError")
    assert project.call("lab", cwd=tmp_path).returncode == 0


def test_costs_little_when_all_is_ready(project):
    project.fake_set_up()
    before = os.times()
    project.call("lab")
    after = os.times()
    # Of a processor, not of a clock: three Pythons start, one after the other, in 0.1 s.
    spent = after.children_user - before.children_user
    assert spent + after.children_system - before.children_system < 1


# What makes an environment fit


def test_fit_only_with_the_stamp_the_locks_and_a_python_that_starts(project):
    project.fake_set_up()
    course = project.course
    assert course.is_ready("student") and course.is_ready("dev")

    (project.folder / "requirements/dev.txt").write_text("# changed\n")
    assert course.is_ready("instructor") and not course.is_ready("dev")
    project.lock("")

    stamp = course.STAMP.read_text()
    for wrong in ("", "[]", "{", json.dumps(json.loads(stamp) | {"python": "3.9"})):
        course.STAMP.write_text(wrong)
        assert not course.is_ready("student")
    course.STAMP.write_text(stamp)
    assert course.is_ready("student")

    course.PYTHON.unlink()
    assert not course.is_ready("student")
    course.PYTHON.write_text("not a program")
    course.PYTHON.chmod(0o755)
    assert not course.is_ready("student")


def test_library_is_found_by_a_relative_path_in_ascii(project, monkeypatch):
    project.fake_set_up()
    course = project.course
    monkeypatch.setattr(course, "VERSION", course.version_in_venv())
    monkeypatch.setattr(course, "version_in_venv", lambda module="sys": course.VERSION)
    monkeypatch.setattr(course, "install", lambda group, log: None)
    (course.SITE / "course.pth").unlink()
    course.set_up("student", None)
    path = (course.SITE / "course.pth").read_bytes().decode("ascii").strip()
    assert not os.path.isabs(path)
    assert os.path.samefile(course.SITE / path, project.folder / "lib")
    assert course.is_ready("student") and not course.is_ready("dev")


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_takes_one_line_of_a_terminal_and_many_elsewhere(monkeypatch, terminal):
    err = io.StringIO()
    err.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", err)
    for text in ("1 of 20 installed", "2 of 20 installed"):
        COURSE.say(text, progress=True)
    COURSE.say("Done.")
    lines = err.getvalue().split("\r" if terminal else "\n")
    assert [line.split()[2] for line in lines[:2]] == ["1", "2"]
    assert lines[2].strip() == "Done." and err.getvalue().endswith("\n")
    assert len(lines[2]) >= len(lines[1]) or not terminal


# What can go wrong


def test_old_pythons_are_told_so():
    code = (
        "import sys, runpy; sys.version_info = (3, 8, 18, 'final', 0); "
        "sys.argv = ['course.py', 'lab']; "
        f"runpy.run_path({str(ROOT / 'course.py')!r}, run_name='__main__')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    assert "3.11 or newer" in result.stderr and "Python 3.8" in result.stderr
    assert result.stderr.count("\n") == 1


def test_old_pythons_can_parse_it():
    source = (ROOT / "course.py").read_bytes().decode("ascii")
    new = (
        ast.JoinedStr,
        ast.AnnAssign,
        ast.NamedExpr,
        ast.Nonlocal,
        ast.YieldFrom,
        ast.AsyncFunctionDef,
    )
    for node in ast.walk(ast.parse(source)):
        assert not isinstance(node, new)
        assert not (isinstance(node, ast.Dict) and None in node.keys)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            assert not any(isinstance(element, ast.Starred) for element in node.elts)
        assert not (isinstance(node, ast.Raise) and node.cause)
        assert not (isinstance(node, ast.FunctionDef) and (node.returns or node.args.kwonlyargs))
        assert not (isinstance(node, ast.arg) and node.annotation)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
            assert len(node.args) == 1 and not node.keywords  # in Python 2 a statement


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
@pytest.mark.parametrize("spec", [None, ModuleSpec("empty folder", None)])
def test_missing_venv_names_the_package_of_debian(project, monkeypatch, module, spec):
    course = project.course
    there = ModuleSpec("there", None, origin="there")
    monkeypatch.setattr(
        course.importlib.util, "find_spec", lambda name: spec if name == module else there
    )
    with pytest.raises(SystemExit, match=rf"apt install python{course.VERSION}-venv"):
        course.main(["lab"])
    assert not course.VENV.exists()


def test_unwritable_folder_is_one_sentence(project):
    (project.folder / ".venv.log").mkdir()  # root may write anywhere, but not into a folder
    result = project.call("lab")
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and "a folder it can write to" in result.stderr


def test_broken_environment_is_made_anew_and_two_calls_do_not_collide(project):
    course = project.course
    course.PYTHON.parent.mkdir(parents=True)
    course.PYTHON.write_text("not a program")
    (course.VENV / "left-over").touch()
    calls = [project.start("lab"), project.start("test")]
    errors = [process.communicate(timeout=300)[1] for process in calls]
    assert [process.returncode for process in calls] == [0, 0], errors
    assert "".join(errors).count(".venv is broken: making it again") == 1
    assert "".join(errors).count("waiting for another call") >= 1
    assert not (course.VENV / "left-over").exists()


def test_environment_of_another_python_is_made_anew(project, monkeypatch):
    project.fake_set_up()
    course = project.course
    made, said = [], []
    monkeypatch.setattr(course, "VERSION", "3.99")
    monkeypatch.setattr(course, "version_in_venv", lambda module="sys": "3.11")
    monkeypatch.setattr(course, "make_venv", made.append)
    monkeypatch.setattr(course, "install", lambda group, log: None)
    monkeypatch.setattr(course, "say", said.append)
    assert not course.is_ready("student")
    course.set_up("student", "log")
    assert made == ["log"]
    assert said == [".venv was made by Python 3.11: making it again with Python 3.99."]


def test_no_network_or_a_wrong_hash_then_the_next_call_goes_on(project, sample_wheel):
    wheels, lock = sample_wheel
    project.lock(lock)
    offline = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "1",
        "PIP_FIND_LINKS": "",
    }
    result = project.call("lab", **offline)
    assert result.returncode == 1
    assert "the network failed" in result.stderr and "The next call goes on" in result.stderr

    course = project.course
    marker = course.VENV / "kept"
    marker.touch()
    online = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels.as_uri()}
    project.lock(lock[:-2] + ("1" if lock[-2] == "0" else "0") + "\n")
    result = project.call("lab", **online)
    assert result.returncode == 1 and "DO NOT MATCH THE HASHES" in result.stderr
    assert not course.STAMP.exists()

    project.lock(lock)
    assert project.call("lab", **online).returncode == 0
    assert marker.exists()
    assert (course.SITE / "sample.py").exists()

    # Killed while it installed: the files half there, no RECORD, no stamp.
    (course.SITE / "sample.py").unlink()
    (course.SITE / "sample-1.0.dist-info/RECORD").unlink()
    course.STAMP.unlink()
    assert project.call("lab", **online).returncode == 0
    assert (course.SITE / "sample.py").exists()

    # The installed version matches, so only the hash in the stamp says that there is work to do.
    project.lock("# new\n" + lock)
    assert "Installing 1 packages" in project.call("lab", **online).stderr
    assert project.call("lab", **online).stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_leaves_no_traceback(project):
    import signal

    process = project.start("lab")
    for line in process.stderr:
        if "making .venv" in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "Interrupted: the next call goes on from here."
    assert "Traceback" not in err
