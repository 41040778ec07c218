"""Every notebook is a deck: its slides are marked, noted and timed, and the guide says so."""

import re
from typing import Any

import nbformat
import pytest
from coursekit import ROOT
from coursekit.contents import is_side_path
from coursekit.editions import fingerprints, last_worked_in, lead_home, untouched
from coursekit.lecture import slides as lecture
from coursekit.lecture.deck import (
    KEYS,
    LENGTHS,
    NOTES,
    Plan,
    SlideType,
    asks,
    faults,
    plan,
    questions,
    slides,
)
from coursekit.lecture.guide import beginnings, pages
from coursekit.lecture.names import defines, links, names, needs
from coursekit.lecture.outline import outline
from coursekit.lecture.typed import STAMP, compare, edition, is_typed, make_edition, say_error

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LINES, COLUMNS = 12, 75  # of a typed cell, its heading among them
WITHOUT_LOOKING = "## Without looking"  # what comes below is for readers, not for the room


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def book(path):
    return nbformat.read(path, as_version=4)


def is_introduction(book) -> bool:
    """Tell notebook 00, which is shorter than a lecture."""
    return not re.match(r"# [1-9]", book.cells[0].source)


def test_metadata_is_known(book):
    for cell in book.cells:
        slide = cell.metadata.get("slideshow", {})
        assert set(slide) <= KEYS, cell.id
        assert slide.get("slide_type", "slide") in list(SlideType), cell.id
        assert slide.get("show", "output") == "output", cell.id
        assert slide.get("skip", "50") in map(str, LENGTHS), cell.id


def test_every_slide_says_what_it_is_for_and_how_long_it_takes(book, path):
    deck = slides(book)
    assert (8 if is_side_path(path) else 12) <= len(deck) <= 60
    for slide in deck:
        assert slide.minutes > 0 and slide.note("say"), f"slide {slide.number}, {slide.title}"
        others = [cell.metadata.get("slideshow", {}) for cell in slide.cells[1:]]
        assert not any(name in notes for notes in others for name in ("minutes", *NOTES)), (
            slide.title
        )


@pytest.mark.parametrize("length", LENGTHS)
def test_a_lecture_fits_with_slack_and_soon_asks_the_room(book, path, length):
    deck = [slide for slide in slides(book) if slide.belongs(length)]
    minutes = sum(slide.minutes for slide in deck)
    assert minutes <= length * 0.94, "questions from the room take time too"
    if not is_side_path(path) and not is_introduction(book):
        assert minutes >= length - 15
    assert all(slide.minutes >= 6 for slide in deck if slide.questions)
    assert all(slide.minutes >= 3 for slide in deck if slide.votes), "numbers have one round"
    begins = beginnings(deck, length)
    assert next(begins[slide.number] for slide in deck if slide.votes) <= 12
    assert any(slide.goes_when_late(length) for slide in deck)


def test_slides_speak_to_the_room(book):
    told = {slide.number: faults(slide) for slide in slides(book)}
    assert {number: found for number, found in told.items() if found} == {}


def test_notes_say_what_to_draw_and_what_to_expect(book, path):
    deck = slides(book)
    least = 1 if is_introduction(book) else 2 if is_side_path(path) else 4
    assert sum(bool(slide.note("board")) for slide in deck) >= least
    assert sum(bool(slide.note("expect")) for slide in deck) >= least


def test_every_question_and_every_live_view_and_typed_cell_is_on_a_slide(book):
    shown = {cell.id for slide in slides(book) for cell in slide.cells}
    sources = [cell.source for cell in book.cells]
    ends = [at for at, source in enumerate(sources) if source.startswith(WITHOUT_LOOKING)]
    for cell in book.cells[: ends[0] if ends else None]:
        outputs = [
            output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])
        ]
        if asks(cell) or is_typed(cell) or any(text.startswith("Live picture") for text in outputs):
            assert cell.cell_type == "markdown" or cell.id in shown, cell.id


def test_questions_are_read_and_never_run(capsys):
    source = """Question(id="01-q", text="Is " "it?", choices=["Yes.", "No."], answer="A",
    misconceptions={"B": "It is."}, hint="Count.", explanation="It is.")"""
    cell = nbformat.v4.new_code_cell(f"# Question( in a comment\n{source}")
    (found,) = questions(cell)
    assert asks(cell) and found.text == "Is it?" and found.choice("B") == "No."
    for other in ("Questions()", "# Question(", "'Question('", "%magic Question(", "f.Question()"):
        assert not asks(nbformat.v4.new_code_cell(other)), other
    for wrong in ('Question(id=print("ran"))', "Question(**parts)", "Question('01-q')"):
        with pytest.raises(ValueError, match="are named and written out"):
            questions(nbformat.v4.new_code_cell(wrong))
    assert capsys.readouterr().out == ""


def test_the_guide_is_up_to_date():
    for path, text in pages().items():
        assert path.read_text("utf-8") == text, f"{path.name} is stale: python3 course.py guide"


def test_an_edition_keeps_headings_and_loses_bodies(book, path):
    made, before = edition(path), {cell.id: cell for cell in lead_home(book).cells}
    typed = [cell for cell in made.cells if is_typed(cell)]
    assert typed
    for cell in typed:
        assert cell.source == before[cell.id].source.splitlines()[
            0
        ] + "\n" and cell.source.startswith("# ")
        assert (
            cell.metadata["solution"] == before[cell.id].source and before[cell.id].metadata["live"]
        )
    kept = [cell for cell in made.cells if cell.id in before and not is_typed(cell)]
    assert [(cell.id, cell.source) for cell in kept] == [
        (c.id, c.source) for c in lead_home(book).cells if not is_typed(c)
    ]


def test_what_is_typed_can_be_typed(book):
    for cell in filter(is_typed, book.cells):
        lines = cell.source.splitlines()
        assert len(lines) <= LINES, f"{cell.id} has {len(lines)} lines"
        for line in lines:
            assert line.isascii() and len(line) <= COLUMNS, f"{cell.id}: {line}"


def test_what_later_cells_need_of_a_typed_one_is_checked(book):
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    for place, cell in enumerate(code):
        if not is_typed(cell):
            continue
        made = defines(cell.source)
        needed = set()
        for other in code[place + 1 :]:
            needed |= needs(other.source) & made
            made -= defines(other.source)
        judged = set().union(*map(needs, cell.metadata["live"]))
        assert needed <= judged, f"{cell.id}: {needed - judged}"


def test_an_edition_that_has_been_typed_into_is_never_overwritten(tmp_path, capsys):
    first = make_edition(PATHS[4], tmp_path)
    assert make_edition(PATHS[4], tmp_path) == first, "an untouched one is made anew"
    typed = nbformat.read(first, 4)
    next(cell for cell in typed.cells if is_typed(cell)).source += "w = 0"
    nbformat.write(typed, first)
    before = first.read_bytes()
    second = make_edition(PATHS[4], tmp_path)
    assert second != first and first.read_bytes() == before and untouched(second, STAMP)
    assert "stays as it is" in capsys.readouterr().err
    (tmp_path / PATHS[5].name).write_text("no notebook", "utf-8")
    assert make_edition(PATHS[5], tmp_path).name.endswith("-2.ipynb")
    assert fingerprints(second, STAMP)[0] == edition(PATHS[4]).metadata[STAMP]


def test_the_check_of_a_typed_cell_says_what_is_wrong():
    cell = nbformat.v4.new_code_cell(
        "# Double\ndef double(x):\n    return 2 * x\n\nprint(double(4))",
        metadata={"live": ["double(3)", "double(0.5)"]},
    )

    def said(source: str) -> str:
        above = {"x": 3, "double": str}  # left by cells above
        typed = dict(above)
        exec(source, typed)
        return repr(compare(cell, typed, above, defines(source)))

    assert said("") == "… Still missing: double is not there yet."
    assert "double(3) is 3, and 6 is expected" in said("def double(y): return x")
    assert "Wrong type" in said("def double(x): return str(2 * x)")
    assert "double(3) raises NameError: name 'z' is not defined" in said("def double(x): return z")
    assert "double(0.5) is 2, and 1.0 is expected" in said("def double(x): return max(2, 2 * x)")
    assert said("def double(x): return x + x\nprint('four')").startswith("✓ Correct")
    rounded = "def double(x): print(x); return 6 if x == 3 else 1 + 1e-13"
    assert said(rounded).startswith("✓ Correct"), "prints, and has digits of its own"


def test_a_typed_cell_that_did_not_run_is_told_where():
    with pytest.raises(SyntaxError) as error:
        compile("# Double\ndef double(x)\n    return 2 * x", "cell", "exec")
    assert say_error(error.value) == "line 2 of the cell is not Python: expected ':'."
    assert "did not run through: ZeroDivisionError" in say_error(ZeroDivisionError("by zero"))


def judge(number: str, cell_id: str, old: str, new: str) -> str:
    """Say what the check thinks of a typed cell in which something has been typed otherwise."""
    path = next(path for path in PATHS if path.stem.startswith(f"{number}-"))
    code = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    place = next(place for place, cell in enumerate(code) if cell.id == cell_id)
    cell = code[place]
    wanted = "\n".join([cell.source, *cell.metadata["live"]])
    sources = [*(other.source for other in code[:place]), wanted]
    above: dict[str, Any] = {}
    for other in sorted(links(list(map(names, sources)))[-1]):
        exec(sources[other], above)
    assert old in cell.source
    source = cell.source.replace(old, new)
    typed = dict(above)
    exec(source, typed)
    return repr(compare(cell, typed, above, defines(source)))


@pytest.mark.parametrize(
    ("number", "cell", "old", "new"),
    [
        ("00", "flip-typed", "[-1, 1, 1, -1, -1, -1]", "[1, 1, 1, -1, -1, 1]"),
        ("03", "uncle", "np.vstack([rows, legs]), [*y, -1]", "np.vstack([legs, rows]), [-1, *y]"),
        ("08", "xor-run", "Halfspace([2, 2, -4], 1)", "Halfspace([5, 4, -10], 2)"),
        ("09", "gap-terms", "[Fraction(1), Fraction(2)]", "[3, -1]"),
        ("09", "gap-terms", "[Fraction(1), Fraction(2)]", "[0.1, 0.7]"),
        ("09", "gap-terms", 'print("u =", *u, "  terms:", *terms)', "print(terms)"),
        ("09", "kkt-table", "[Fraction(1, 2), Fraction(5, 4)]", "[Fraction(1), Fraction(2)]"),
        ("09", "kkt-table", '"alpha": alpha', '"price": alpha'),
    ],
)
def test_what_the_room_wishes_is_not_wrong(number, cell, old, new):
    assert judge(number, cell, old, new).startswith("✓ Correct")


@pytest.mark.parametrize(
    ("number", "cell", "old", "new", "said"),
    [
        ("00", "flip-typed", "[-1, 1, 1, -1, -1, -1]", "[1, 1, 1, -1, -1, -1]", "Wrong value"),
        ("08", "xor-run", "[2, 2, -4]", "[2, 2, 4]", "Wrong value: (rule(lifted) == y).all()"),
        ("08", "trick-run", "y[i] * (", "y[j] * (", "name 'j' is not defined"),
        ("07b", "pegasos-code", "z = y[i]", "z = y[0]", "Wrong value: pegasos(np.array([[2, 1]"),
        ("09", "gap-terms", "/ 2, *(alpha", ", *(alpha", "Wrong value: abs(sum(terms) - gap)"),
        ("09", "kkt-table", "(Z @ v - 1)", "(Z @ v)", "Wrong value: [sorted(row)"),
    ],
)
def test_what_is_wrong_is_called_wrong_with_the_first_input_that_shows_it(
    number, cell, old, new, said
):
    assert said in judge(number, cell, old, new)


def deck_of(*notes) -> list:
    """Return a deck of slides with these notes."""
    cells = [
        nbformat.v4.new_markdown_cell(
            f"## Slide {place}", metadata={"slideshow": {"slide_type": "slide", **note}}
        )
        for place, note in enumerate(notes)
    ]
    return slides(nbformat.v4.new_notebook(cells=cells))


def test_a_plan_says_which_slides_and_when():
    deck = deck_of(
        {"minutes": 2},
        {"minutes": 5, "skip": "50"},
        {"minutes": 1, "skip": "80"},
        {"minutes": 1.5},
    )
    assert plan(deck, 50) == Plan(
        minutes=50,
        slides=(0, 3),
        labels=("1", "1.1", "1.2", "2"),
        begins=(0, 2, 2, 2),
        ends=(2, 2, 2, 3.5),
    )
    assert plan(deck, 80).labels == ("1", "2", "2.1", "3")
    assert plan(deck, 80).ends == (2, 7, 7, 8.5)
    everything = plan(deck, None)
    assert everything.slides == (0, 1, 2, 3) and everything.ends[-1] == 9.5
    assert plan(deck_of({"skip": "80"}, {}), 50).labels == ("0.1", "1")


def test_plans_agree_with_the_guide(book):
    deck = slides(book)
    for length in LENGTHS:
        found = plan(deck, length)
        shown = [slide for slide in deck if slide.belongs(length)]
        assert [deck[place] for place in found.slides] == shown
        assert found.ends[-1] == sum(slide.minutes for slide in shown)
        assert len(set(found.labels)) == len(deck)


def test_the_page_is_told_what_slides_are(book):
    told = outline(book.cells)
    places = [place for slide in told["slides"] for place in slide["cells"]]
    assert [book.cells[place].id for place in places] == [
        cell.id for slide in slides(book) for cell in slide.cells
    ]
    for slide in told["slides"]:
        assert slide["title"] and "$" not in slide["title"] + slide["words"], slide
        assert "](" not in slide["title"] + slide["words"], slide
    assert [told["minutes"] for told in told["plans"]] == [*LENGTHS, None]


def test_an_outline_has_titles_code_and_words():
    text = nbformat.v4.new_markdown_cell
    cells = [
        text("## The root $\\sqrt t$\n\n- See [the map](00-start-here.ipynb) *now*."),
        nbformat.v4.new_code_cell("# Add", metadata={"solution": "# Add\n1 + 1"}),
        text("**Folding.** It reflects.", metadata={"slideshow": {"slide_type": "slide"}}),
        text("Text.", metadata={"slideshow": {"slide_type": "slide", "title": "A name"}}),
    ]
    first, second, third = outline(cells)["slides"]
    assert "<msqrt>" in first["title"] and not first["heading"]
    assert first["words"] == "See the map <em>now</em>."
    assert first["code"] == ["# Add\n1 + 1"]
    assert (second["title"], second["words"]) == ("Folding", "It reflects.")
    assert third["title"] == "A name" and third["heading"]


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("## One\n\nThe picture below shows it.", ["it points elsewhere: picture below"]),
        ("## One\n\nRun this cell.", ["it points elsewhere: this cell"]),
        ("## One\n\n<details>It is.</details>", ["it is for readers: <details"]),
        ("## One\n\nThe loss lies above it, and bounds it from above; $1$ is below $2$.", []),
    ],
)
def test_what_is_not_for_a_room_is_found(cell, says):
    (slide,) = slides(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(cell)]))
    assert faults(slide) == says


def test_checks_are_not_for_a_room_and_a_title_is_a_heading():
    code = nbformat.v4.new_code_cell(
        'check_exercise("5.1", bound)', metadata={"slideshow": {"title": "Exercise 5.1"}}
    )
    (slide,) = slides(nbformat.v4.new_notebook(cells=[code]))
    assert faults(slide) == ["it is for readers: check_exercise"] and slide.title == "Exercise 5.1"


def test_a_copy_to_lecture_from_leads_home_and_is_never_overwritten(tmp_path, capsys):
    first = lecture.make_copy(PATHS[4], tmp_path)
    original = PATHS[4].read_text("utf-8")
    made = nbformat.read(first, 4)
    links = re.findall(r"\]\(([^)]*\.ipynb)\)", "".join(cell.source for cell in made.cells))
    assert links and all((ROOT / "notebooks" / link).exists() for link in links)
    assert {link.rpartition("/")[0] for link in links} == {"../notebooks"}
    assert [cell.get("outputs") for cell in made.cells] == [
        cell.get("outputs") for cell in nbformat.read(PATHS[4], 4).cells
    ]
    assert lecture.make_copy(PATHS[4], tmp_path) == first and not capsys.readouterr().err
    assert last_worked_in(tmp_path, PATHS[4].stem, lecture.STAMP) is None
    made.cells[0].metadata["ink"] = [{"on": None, "colour": "blue", "points": [1, 2]}]
    nbformat.write(made, first)
    before = first.read_bytes()
    second = lecture.make_copy(PATHS[4], tmp_path)
    assert second != first and first.read_bytes() == before
    assert f"{first.name} has changes of yours and stays" in capsys.readouterr().err
    assert last_worked_in(tmp_path, PATHS[4].stem, lecture.STAMP) == first
    assert PATHS[4].read_text("utf-8") == original
