"""The command line: helps that run nothing, names that mean the same everywhere, sentences."""

import subprocess
import sys

import pytest
from coursekit import cli, contents
from coursekit.contents import find_homework, find_notebook
from small_project import ROOT

COMMANDS = list(cli.make_parsers()[1])


@pytest.fixture
def runs(monkeypatch) -> list[tuple]:
    """Let commands only tell what they are called with."""
    told = []

    def tell(name):
        def run(args, parser):
            told.append((name, args))

        return run

    for command in COMMANDS:
        monkeypatch.setattr(cli, f"run_{command}", tell(command))
    return told


def refused(capsys, *argv: str) -> str:
    """Return the one sentence with which a command line is refused."""
    with pytest.raises(SystemExit) as stop:
        cli.main(list(argv))
    said = capsys.readouterr()
    assert stop.value.code == 2
    assert said.out == "" and said.err.count("\n") == 1
    return said.err


# Help


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", ["{} --help", "{} -h", "help {}", "{} 5 --help", "{} --help -- x"])
def test_help_runs_nothing(runs, capsys, command, form):
    with pytest.raises(SystemExit) as stop:
        cli.main(form.format(command).split())
    assert stop.value.code == 0
    assert f"usage: python3 course.py {command}" in capsys.readouterr().out
    assert runs == []


def test_help_imports_nothing_that_commands_need():
    code = f"""
import contextlib, io, sys
from coursekit.cli import main
for command in {COMMANDS}:
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        main([command, "--help"])
print(sorted({{"jupyterlab", "matplotlib", "nbformat", "numpy", "pytest"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


# Names


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "05",
        "005",
        "05-mistake-bound",
        "05-Mistake-Bound",
        "05-mistake-bound.ipynb",
        "notebooks/05-mistake-bound.ipynb",
        str(ROOT / "notebooks" / "05-mistake-bound.ipynb"),
    ],
)
def test_a_notebook_has_many_names(text, tmp_path, monkeypatch):
    for folder in (ROOT, tmp_path):
        monkeypatch.chdir(folder)
        assert find_notebook(text) == ROOT / "notebooks" / "05-mistake-bound.ipynb"


def test_a_path_is_meant_from_where_we_are(monkeypatch):
    monkeypatch.chdir(ROOT / "notebooks")
    assert find_notebook("./05-mistake-bound.ipynb").stem == "05-mistake-bound"
    assert find_notebook("../notebooks/05-mistake-bound.ipynb").stem == "05-mistake-bound"


def test_side_paths_have_a_letter(tmp_path, monkeypatch):
    for name in ("05-a", "05b-c"):
        (tmp_path / f"{name}.ipynb").touch()
    monkeypatch.setattr(contents, "NOTEBOOKS", tmp_path)
    assert [find_notebook(text).stem for text in ("5", "5b", "05b")] == ["05-a", "05b-c", "05b-c"]


@pytest.mark.parametrize(
    "text", ["77", "hw05", "5x", "mistake-bound", "live/05-mistake-bound.ipynb"]
)
def test_other_names_of_notebooks_are_refused(text):
    with pytest.raises(ValueError, match=f"There is no notebook {text}: there are 00-start-here, "):
        find_notebook(text)


@pytest.mark.parametrize(
    "text", ["3", "03", "hw03", "HW03", "hw03.ipynb", "exercises/source/hw03/hw03.ipynb", "a/hw03"]
)
@pytest.mark.parametrize("folder", ["source", "release"])
def test_a_homework_has_many_names(text, folder):
    assert find_homework(text, contents.EXERCISES / folder) == "hw03"


@pytest.mark.parametrize("text", ["", "77", "03-separability", "hw", "hw3x"])
def test_other_names_of_homeworks_are_refused(text):
    with pytest.raises(ValueError, match="There are hw00, hw01|there are hw00, hw01"):
        find_homework(text, contents.EXERCISES / "source")


@pytest.mark.parametrize("command", ["slides", "live", "export", "refresh"])
def test_every_command_knows_notebooks_by_the_same_names(runs, command):
    for text in ("5", "05-mistake-bound"):
        assert cli.main([command, text]) == 0
    found = [vars(args).get("notebook") or args.notebooks[0] for _, args in runs]
    assert found == [find_notebook("5")] * 2


@pytest.mark.parametrize("command", ["homework", "release", "grade"])
def test_every_command_knows_homeworks_by_the_same_names(runs, command):
    for text in ("3", "hw03.ipynb"):
        assert cli.main([command, text]) == 0
    found = [vars(args).get("homework") or args.homeworks[0] for _, args in runs]
    assert found == ["hw03"] * 2


# What is handed on


@pytest.mark.parametrize(
    "command", ["lab", "slides 5", "live 5", "homework 3 --open", "grade --mark"]
)
def test_jupyter_gets_its_options(runs, command):
    argv = [*command.split(), "--no-browser", "--port=1", "--", "--A.b=c", "--", "d"]
    assert cli.main(argv) == 0
    ((_, args),) = runs
    assert cli.jupyter_options(args) == ["--no-browser", "--port=1", "--A.b=c", "--", "d"]


@pytest.mark.parametrize(
    ("argv", "handed_on"),
    [
        ("test", []),
        ("test -k x tests/lib -n0", ["-k", "x", "tests/lib", "-n0"]),
        ("test tests/lib -- --help", ["tests/lib", "--help"]),
    ],
)
def test_pytest_gets_all_arguments(runs, argv, handed_on):
    assert cli.main(argv.split()) == 0
    assert runs[0][1].handed_on == handed_on


# What is refused


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ("", "A command is missing"),
        ("nope", "There is no command 'nope'"),
        ("help nope", "There is no command 'nope'"),
        ("slides", "Which notebook? There are 00-start-here"),
        ("slides 77", "There is no notebook 77: there are 00-start-here"),
        ("slides 5 6", "There is no argument 6: python3 course.py slides --help"),
        ("slides 5 --exp", "There is no argument --exp"),
        ("refresh 5 77", "There is no notebook 77"),
        ("homework 3 --opne", "There is no argument --opne"),
        ("release 3 77", "There is no homework 77"),
        ("grade hw00 --jobs=0", "0 is less than 1"),
        ("grade hw00 --csv", "expected one argument"),
        ("grade hw00 --mark --feedback", "not allowed with argument --mark"),
        ("lab --port x", "invalid int value: 'x'"),
        ("lab 77", "There is no notebook 77: there are 00-start-here"),
        ("guide -- x", "x has no place behind --"),
        ("bench nope", "There is no benchmark nope: there are perceptron"),
    ],
)
def test_a_wrong_line_is_one_sentence_and_runs_nothing(runs, capsys, argv, says):
    assert says in refused(capsys, *argv.split())
    assert runs == []


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ("homework 3 --port=1", "options of JupyterLab go with --open"),
        ("slides 5 --export --no-browser", "options of JupyterLab do not go with --export"),
        ("slides 5 --export --minutes 50", "--minutes does not go with --export"),
        ("slides 5 --minutes 45", "there are those of 50 and 80"),
        ("live 5 --make --last", "--last and --minutes do not go with --make"),
        ("live 5 --make -- --x", "options of JupyterLab do not go with --make"),
        ("grade 3 --no-browser", "options of JupyterLab go with --mark"),
        ("homework", "Which homework? There are hw00"),
        ("grade", "Which homework? There are hw00"),
        ("grade 3 folder --feedback", "a folder is for grading"),
    ],
)
def test_options_that_do_not_go_together_are_one_sentence(capsys, argv, says):
    assert says.lower() in refused(capsys, *argv.split()).lower()


def test_without_a_course_there_is_help_and_else_a_sentence(tmp_path, monkeypatch, capsys):
    def no_course(*_):
        raise cli.NoCourseError("There is no course.")

    monkeypatch.setattr(contents, "find_notebook", no_course)
    assert cli.main(["slides", "5"]) == 2
    assert capsys.readouterr().err == "There is no course.\n"


def test_ctrl_c_is_a_code_and_no_traceback(monkeypatch):
    def interrupt(args, parser):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run_guide", interrupt)
    assert cli.main(["guide"]) == 130
