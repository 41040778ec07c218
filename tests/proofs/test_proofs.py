"""The theorems in proofs/: compiled, without axioms, with the notebooks' numbers, and none idle."""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

import nbformat
import pytest
from coq_source import statements
from coursekit import ROOT, proofs
from coursekit.contents import number_of
from coursekit.publish.claims import proofs_of, read

THEOREMS = proofs.theorems()
FILES = [path.name for path in proofs.in_order()]
PROMISED = (
    "mistake_bound separation shattering gordan encodings duality optimality kernels verifiers"
).split()
DROPS = 10  # seconds that one step of a proof gets when a hypothesis is missing


@cache
def cells(path: Path) -> list[str]:
    """Return the text of a notebook's cells."""
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


# What is there


def test_the_promised_files_have_theorems_and_every_theorem_has_a_number():
    assert {theorem.file for theorem in THEOREMS} == {f"{name}.v" for name in PROMISED}
    sources = "".join(path.read_text("utf-8") for path in proofs.in_order())
    names = re.findall(r"^Theorem (\w+)", sources, re.MULTILINE)
    assert sorted(names) == sorted(theorem.name for theorem in THEOREMS)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_the_number_stands_in_the_notebook(theorem):
    kind = theorem.number.split()[0].rstrip("s")
    for number in re.findall(r"\d+b?\.\d+", theorem.number):
        path = next((ROOT / "notebooks").glob(f"{proofs.place(number)[0]}-*.ipynb"))
        text = "\n".join(cells(path))
        heading = rf"^## {number} " if kind == "Section" else rf"\*\*{kind} {number}\b"
        assert re.search(heading, text, re.MULTILINE), f"{kind} {number} is not in {path.name}"


def test_the_inventory_names_theorems_that_are_there_and_taught_where_they_stand():
    known = {f"{theorem.file[:-2]}.{theorem.name}": theorem for theorem in THEOREMS}
    proved = [claim for claim in read()[1] if claim.proof]
    assert len(proved) >= 40
    for claim in proved:
        for name in proofs_of(claim):
            notebook, _ = proofs.place(known[name].number)
            assert notebook in {taught.split()[0] for taught in claim.taught}, claim.id


def test_formal_lines_in_the_notebooks_are_those_of_the_files_and_name_theorems():
    sources = {path.name: path.read_text("utf-8") for path in proofs.in_order()}
    known = {(theorem.file, theorem.name) for theorem in THEOREMS}
    shown, linked = set(), set()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for source in cells(path):
            for block in re.findall(r"^```coq\n(.*?)^```", source, re.MULTILINE | re.DOTALL):
                for line in block.strip().split("\n\n"):
                    assert any(f"{line}\nProof." in text for text in sources.values()), line
                    shown.add(line.split()[1])
            for name, file in re.findall(r"\[`(\w+)`\]\(\.\./proofs/(\w+\.v)\)", source):
                assert (file, name) in known, f"{path.name}: there is no {name} in {file}"
                linked.add(f"{number_of(path)} {file}")
    assert {"progress", "stays_short", "cauchy_schwarz", "novikoff", "novikoff_ends"} <= shown
    assert {"03 separation.v", "03 gordan.v", "09 duality.v", "09 optimality.v"} <= linked


def test_lines_are_short():
    for path in proofs.in_order():
        assert max(map(len, path.read_text("utf-8").splitlines())) <= 100, path.name


# Nothing is assumed


def test_nothing_is_assumed_in_the_sources():
    assert proofs.assumed() == []


@pytest.mark.parametrize(
    "text, found",
    [
        ("Theorem t : False. Admitted.", "Admitted"),
        ("Axiom a : False.", "Axiom"),
        ("Parameter a : False.", "Parameter"),
        ("Section s. Hypothesis a : False.", "Hypothesis"),
        ("Section s. Variable a : nat.", "Variable"),
        ("Theorem t : True. Proof. admit.", "admit"),
        ("(* Axiom (* Admitted *) Axiom *) Lemma l : True. Proof. exact I. Qed.", None),
    ],
)
def test_what_is_assumed_is_seen_outside_comments(tmp_path, text, found):
    (tmp_path / "x.v").write_text(text + "\n", "utf-8")
    assert proofs.assumed(tmp_path) == ([f"x.v: {found}"] if found else [])


def test_every_theorem_is_closed_under_the_global_context(checked):
    answers, faults, progress, _ = checked
    assert list(answers) == THEOREMS
    assert set(answers.values()) == {proofs.CLOSED} and not faults
    assert progress[len(FILES) - 1].startswith(f"{len(FILES)} of {len(FILES)} files compiled")


def test_a_theorem_that_rests_on_an_axiom_is_found(compiled, tmp_path):
    text = (
        "Axiom cheat : forall P : Prop, P.\n\n"
        "(** Theorem 5.1 (honest): in words. *)\nTheorem honest : True.\nProof. exact I. Qed.\n\n"
        "(** Theorem 5.2 (fraud): in words. *)\nTheorem fraud : False.\nProof. apply cheat. Qed.\n"
    )
    (tmp_path / "x.v").write_text(text, "utf-8")
    build = tmp_path / "build"
    build.mkdir()
    assert [name for name, _ in proofs.compile_all(build, tmp_path)] == ["x.v"]
    answers = proofs.axioms(proofs.theorems(tmp_path), build)
    verdicts = {theorem.name: answer for theorem, answer in answers.items()}
    assert verdicts["honest"] == proofs.CLOSED
    assert "cheat" in verdicts["fraud"]


# No hypothesis is idle


def prove_again(folder: Path, file: str) -> tuple[list[str], list[str], list[str]]:
    """Prove one statement as it is, and all with True in place of each hypothesis.

    Return the names under which that was tried, those that Coq took as statements, those proved.
    """
    text = (proofs.SOURCE / file).read_text("utf-8")
    lines = re.findall(r"^(?:From .*? Require (?:Import|Export) .*?|Import \w+)\.$", text, re.M)
    lines += [f"From {proofs.LIBRARY} Require Import {file[:-2]}.", "Import ListNotations."]
    lines += [f"Set Default Timeout {DROPS}.", "Set Silent."]  # no goals, only answers
    tries = [
        (f"{statement.name}_without_{hypothesis}", statement, hypothesis)
        for statement in statements(proofs.SOURCE / file)
        for hypothesis in statement.hypotheses()
    ]
    tries.insert(0, (f"{tries[0][1].name}_whole", tries[0][1], ""))
    for name, statement, hypothesis in tries:
        proved = f'Goal True. let t := constr:(@{name}) in idtac "proved {name};". Abort.'
        lines += [statement.again(name, hypothesis), "Abort All.", proved]
    answer = proofs.run_coq("coqtop", folder=folder, text="\n".join(lines) + "\n")
    stated, proved = (re.findall(rf"{word} (\w+);", answer) for word in ("stated", "proved"))
    return [name for name, *_ in tries], stated, proved


@pytest.fixture(scope="session")
def proved_again(compiled):
    """Do it for all files, on all cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(FILES, pool.map(partial(prove_again, compiled), FILES), strict=True))


@pytest.mark.parametrize("file", FILES)
def test_no_proof_survives_the_loss_of_a_hypothesis(proved_again, file):
    tried, stated, proved = proved_again[file]
    assert stated == tried
    assert proved == tried[:1], "a hypothesis is idle"


# The command


def test_the_table_has_theorem_number_file_and_axioms(checked):
    lines = proofs.table(checked[0]).splitlines()
    assert lines[0].split() == ["theorem", "in", "the", "notebooks", "file", "axioms"]
    for theorem, line in zip(THEOREMS, lines[2:], strict=True):
        assert line.split() == [theorem.name, *theorem.number.split(), theorem.file, "none"]


def test_the_command_succeeds_where_all_is_proved(compiled, tmp_path, capsys):
    text = "(** Theorem 5.1 (easy): in words. *)\nTheorem easy : True.\nProof. exact I. Qed.\n"
    (tmp_path / "x.v").write_text(text, "utf-8")
    assert proofs.report(tmp_path) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1].split() == "easy Theorem 5.1 (easy) x.v none".split()
    assert "1 of 1 files compiled" in shown.err and "nothing assumed" in shown.err
    assert [path.name for path in tmp_path.iterdir()] == ["x.v"], "nothing is left behind"


def test_the_command_fails_where_something_is_assumed(compiled, tmp_path, capsys):
    text = "(** Theorem 5.1 (fraud): in words. *)\nTheorem fraud : False.\nAdmitted.\n"
    (tmp_path / "x.v").write_text(text, "utf-8")
    assert proofs.report(tmp_path) == 1
    shown = capsys.readouterr()
    assert "Admitted assumes" in shown.err and "fraud rests on axioms" in shown.err


def test_the_command_fails_where_a_proof_is_wrong(compiled, tmp_path, capsys):
    (tmp_path / "x.v").write_text("Lemma l : 1 = 2.\nProof. reflexivity. Qed.\n", "utf-8")
    assert proofs.report(tmp_path) == 1
    assert "does not accept" in capsys.readouterr().err


def test_the_command_names_the_package_where_coq_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert proofs.report() == 1
    assert "apt install coq" in capsys.readouterr().err


def test_what_coq_writes_is_not_tracked():
    listed = subprocess.run(
        ["git", "ls-files", "proofs"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert all(name.endswith((".v", ".md")) for name in listed)
