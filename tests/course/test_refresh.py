"""The command refresh: outputs are fresh, clean and steady; and tests compare pictures."""

import base64
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import nbformat
import numpy as np
import pytest
from coursekit import cli, contents
from coursekit.publish import pictures, refresh
from halfspaces import Halfspace, datasets
from halfspaces.notebook import figures
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image
from small_project import ROOT

IMPORTS = """\
from halfspaces.notebook.figures import new_figure, show
from halfspaces.notebook.live import Slider, live
from halfspaces.notebook.questions import Question"""
VIEW = """\
def tilt(fig):
    line, = fig.add_subplot().plot([0, 1], [0, 0])
    return lambda slope: line.set_ydata([0, slope])
view = live(tilt, alt="A line through the origin.", slope=Slider(-1, 1, 0.1, value=0.5))
view"""
QUESTION = """\
Question(id="01-q", text="Is $1 < 2$?", choices=["Yes.", "No."], answer="A",
         misconceptions={"B": "It is."}, hint="Count.", explanation="It is.")"""
PRINTS = """\
import sys
print("one", flush=True)
print("two", flush=True)
print("aside", file=sys.stderr)
[1, 2]"""
SOURCES = [IMPORTS, VIEW, "view.still()", QUESTION, PRINTS]


def write(path: Path, sources: list[str]) -> Path:
    """Write a notebook that has never been run, with the noise that editors leave behind."""
    noise = {"execution": {"iopub.status.busy": "2024"}, "tags": ["live-code"]}
    cells = [
        new_markdown_cell("# Sample"),
        *(new_code_cell(source, metadata=dict(noise)) for source in sources),
    ]
    cells[1].outputs = [new_output("stream", text="stale")]
    metadata = {
        "kernelspec": {"name": "other", "display_name": "Other"},
        "widgets": {"state": {}},
        "author": "x",
    }
    nbformat.write(new_notebook(cells=cells, metadata=metadata), path)
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Let refresh work on a folder of its own."""
    monkeypatch.setattr(contents, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    return tmp_path


def test_refresh_is_clean_and_steady(folder, capsys):
    path = write(folder / "01-sample.ipynb", SOURCES)
    ids = [cell.id for cell in nbformat.read(path, 4).cells]
    assert refresh.refresh_all([]) == 0
    first = path.read_bytes()
    nb = nbformat.read(path, 4)
    code = nb.cells[1:]
    assert [cell.id for cell in nb.cells] == ids and [cell.execution_count for cell in code] == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert nb.metadata == contents.METADATA
    assert (nb.nbformat, nb.nbformat_minor) == (4, 5) and first.endswith(b"}\n")
    assert all(
        cell.metadata.tags == ["live-code"] and "execution" not in cell.metadata for cell in code
    )
    assert [cell.metadata.get("jupyter") for cell in code] == [
        None,
        None,
        None,
        {"source_hidden": True},
        None,
    ]
    assert b"widget-view" not in first
    assert code[0].outputs == []
    assert code[1].outputs[0].data == {
        "text/plain": "Live picture: slope (-1.0 … 1.0). A line through the origin."
    }
    assert code[2].outputs[0].metadata["image/png"]["alt"] == "A line through the origin."
    assert set(code[3].outputs[0].data) == {"text/plain", "text/markdown"}
    assert [output.get("text") for output in code[4].outputs] == ["one\ntwo\n", "aside\n", None]

    assert refresh.refresh_all([path]) == 0 and path.read_bytes() == first
    assert (
        "01-sample: refreshed" in (said := capsys.readouterr().err)
        and "01-sample: unchanged" in said
    )
    old, other = nb.cells[3].outputs[0].data, picture(tilt=0.9)
    for png, kept in [(retouched(old["image/png"]), True), (other, False)]:
        old["image/png"] = png
        nbformat.write(nb, path)
        assert refresh.refresh_all([path]) == 0
        assert (nbformat.read(path, 4).cells[3].outputs[0].data["image/png"] == png) is kept


def test_a_cell_that_fails_is_named_and_the_file_left_alone(folder, capsys, monkeypatch):
    monkeypatch.setattr(refresh, "SECONDS", 4)
    sources = {
        "01-error": ["x = 1", "# a comment\nx + y"],
        "02-slow": ["import time\ntime.sleep(60)"],
        "03-dead": ["x = 1", "import os\nos._exit(1)"],
        "04-good": ["1 + 1"],
        "05-saved": ["with open('05-saved.ipynb', 'a') as file:\n    file.write(' ')"],
    }
    paths = {name: write(folder / f"{name}.ipynb", cells) for name, cells in sources.items()}
    before = {name: path.read_bytes() for name, path in paths.items()}
    assert refresh.refresh_all([]) == 1
    said = capsys.readouterr().err
    assert (
        "01-error: cell [2], \"# a comment\", raises NameError: name 'y' is not defined. The file"
        in said
    )
    assert '02-slow: cell [1], "import time", takes more than 4 seconds.' in said
    assert (
        '03-dead: cell [2], "import os", cannot be run (DeadKernelError' in said
        and "Traceback" not in said
    )
    assert "05-saved: somebody saved it while it ran" in said
    before["05-saved"] += b" "
    assert [name for name, path in paths.items() if path.read_bytes() != before[name]] == [
        "04-good"
    ]


def test_an_unknown_notebook_is_a_sentence(folder, capsys):
    write(folder / "01-sample.ipynb", ["1"])
    with pytest.raises(SystemExit, match="2"):
        cli.main(["refresh", "01", "07"])
    assert capsys.readouterr().err == "There is no notebook 07: there are 01-sample.\n"


# Comparing pictures


def picture(tilt=0.5, band=0.2, label="$x_1$", shift=0.0, **settings) -> str:
    """Draw a picture with all that is common in the course."""
    X, y = datasets.separable(60, 2, 0.2, np.random.default_rng(0))
    h = Halfspace([1.0, tilt], 0)
    with matplotlib.rc_context({name.replace("_", "."): value for name, value in settings.items()}):
        fig = figures.new_figure()
        ax = fig.add_subplot(title="A title of some words, as usual")
        figures.set_plane(ax, X)
        figures.draw_halfspace(ax, h)
        figures.draw_band(ax, h, band)
        figures.draw_normal(ax, h)
        X[0] += shift
        figures.draw_points(ax, X, y, numbers=True)
        ax.set_xlabel(label)
        return base64.b64encode(figures.Still(fig, "Some points.").png).decode()


def retouched(png: str) -> str:
    """Change one pixel."""
    pixels = np.array(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB"))
    pixels[0, 0] = 0
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    "fonts",
    [{"text_hinting": "none"}, {"text_hinting": "force_autohint"}, {"text_antialiased": False}],
)
def test_fonts_drawn_in_another_way_are_no_change(fonts):
    other = picture(**fonts)
    assert other != picture()
    assert pictures.distance(picture(), other) <= pictures.TOLERANCE


@pytest.mark.parametrize(
    "change", [{"tilt": 0.51}, {"band": 0.21}, {"shift": 0.02}, {"label": "$x_2$"}]
)
def test_a_small_move_is_a_change(change):
    assert pictures.distance(picture(), picture(**change)) > pictures.TOLERANCE


def test_differences_are_told():
    def shows(png, alt="Some points."):
        return new_output("display_data", {"image/png": png}, metadata={"image/png": {"alt": alt}})

    a, b = shows(picture()), shows(picture(tilt=0.9))
    text = new_output("stream", text="text")
    assert pictures.differences([text, a, b], [a, text, b]) == []
    assert "2 pictures; the notebook has 1" in pictures.differences([a], [a, b])[0]
    assert "Picture 2 has changed: RMS" in pictures.differences([a, a], [a, b])[0]
    assert (
        "alt text of picture 1 has changed"
        in pictures.differences([a], [shows(picture(), "Others.")])[0]
    )
    small = base64.b64encode(figures.Still(figures.new_figure(2, 2), "x").png).decode()
    assert "RMS inf" in pictures.differences([a], [shows(small)])[0]


def test_nbval_compares_pictures_and_passes_questions_and_live_views(folder):
    shutil.copy(ROOT / "pyproject.toml", folder)  # for the settings of pytest
    path = write(folder / "good.ipynb", [*SOURCES, "view.still()"])
    assert refresh.refresh_all([]) == 0
    nb = nbformat.read(path, 4)
    nb.cells[3].outputs[0].metadata["image/png"]["alt"] = "Something else."
    nb.cells[6].outputs[0].data["image/png"] = picture()
    nbformat.write(nb, folder / "bad.ipynb")
    result = subprocess.run(
        [sys.executable, "-m", "coursekit", "test", "good.ipynb", "bad.ipynb", "-n2"],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert "2 failed, 10 passed" in result.stdout, result.stdout + result.stderr
    assert (
        "Picture 1 has changed" in result.stdout
        and "alt text of picture 1 has changed" in result.stdout
    )
