"""Numbers and sentences from a room, and what the lecturer alone sees of them."""

import re
from urllib.parse import quote_plus, urlsplit

import pytest
from coursekit.contents import all_notebooks, read_notebook
from coursekit.lecture.room import histogram as histograms
from coursekit.lecture.room import panel as rooms
from coursekit.lecture.room.histogram import histogram, summary
from coursekit.lecture.room.panel import Room
from coursekit.lecture.room.store import NUMBER, SENTENCE
from halfspaces.notebook.questions import Commitment, Predict
from halfspaces.notebook.reading import calls
from hypothesis import given
from hypothesis import strategies as some
from phones import EVIL, QUESTION, Phone, stop

pytestmark = pytest.mark.usefixtures("kernel")
HOW_MANY = Predict(
    id="05-many", text="How many mistakes, if $R<9$?", number="mistakes", why="So $2<3$."
)


@pytest.fixture
def numbers(kernel) -> Room:
    return Room(HOW_MANY)


def send(phone: Phone, number: str, state: str = "1.first") -> "object":
    return phone.post(f"state={state}&choice={quote_plus(number)}")


# Numbers


def test_numbers_are_typed_changed_and_counted(numbers):
    phones = [Phone(numbers.address) for _ in range(4)]
    page = phones[0].get().body
    assert 'inputmode="decimal"' in page and "<label" in page and "mistakes</span>" in page
    for phone, number in zip(phones, ("12", "1,5", " 3/4 ", "∞")):
        assert send(phone, number).status == 303
    send(phones[0], "1e3")
    assert set(numbers.poll.votes[1].values()) == {"1e3", "1.5", "3/4", "∞"}
    assert "Your number is 1e3" in phones[0].get().body
    assert 'value="1e3"' in phones[0].get().body
    numbers.step("closed")
    assert send(phones[0], "7").status == 409 and "You said 1e3" in phones[0].get().body
    assert not numbers.results.value
    numbers.step("shown")
    assert "4 numbers, from 3/4 to ∞" not in numbers.results.value  # as decimals
    assert "4 numbers, from 0.75 to ∞ mistakes" in numbers.results.value


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("", "number"),
        ("many", "A number is expected here, such as 12"),
        ("1e", "A number is expected here"),
        ("nan", "A number is expected here"),
        ("1/0", "A number is expected here"),
        (EVIL, "A number is expected here"),
        ("1" * (NUMBER + 1), f"at most {NUMBER} digits"),
    ],
)
def test_what_is_no_number_is_refused_with_a_sentence(numbers, number, said):
    answer = send(Phone(numbers.address), number)
    assert answer.status in (400, 422) and (said in answer.said or not number)
    assert "<form" in answer.body and EVIL not in answer.body
    assert not numbers.poll.votes[1]


def test_there_is_no_second_round_of_numbers(numbers):
    for stage in ("discussion", "second", "shown"):
        numbers.step(stage)
        assert numbers.poll.stage == "first"
    assert list(numbers.buttons) == ["closed", "shown"]


def test_a_revealed_number_ends_the_vote_and_is_drawn_with_its_bound(numbers, monkeypatch):
    monkeypatch.setenv("HALFSPACES_ROOM", "coursekit.lecture.room.panel")
    phones = [Phone(numbers.address) for _ in range(3)]
    for phone, number in zip(phones, ("5", "28", "900")):
        send(phone, number)
    shown = HOW_MANY.reveal(28, bound=492)._repr_html_()
    assert numbers.poll.stage == "closed" and send(phones[0], "28").status == 409
    assert "<details><summary>Answer" not in shown  # the room has committed itself
    for text in ("truth 28", "bound 492", "1 too low, 1 exact, 1 too high", "1 above it"):
        assert text in shown, text
    assert "aria-label=\"Histogram of the room's numbers. 3 numbers" in shown
    assert "At most 492 mistakes" in shown
    page = phones[2].get().body
    assert "You said <strong>900</strong>" in page and "too high by a factor of 32.1" in page
    numbers.step("shown")
    assert "truth 28" in numbers.results.value and "So $2&lt;3$." in numbers.results.value
    stop()
    again = Room(HOW_MANY)
    assert (again.poll.truth, again.poll.bound, again.poll.stage) == ("28", "492", "shown")


def test_a_reveal_without_a_room_is_as_ever(kernel, monkeypatch):
    plain = HOW_MANY.reveal(28, bound=492)._repr_html_()
    assert plain.startswith("<details><summary>Answer") and "<svg" not in plain
    monkeypatch.setenv("HALFSPACES_ROOM", "coursekit.lecture.room.panel")
    assert HOW_MANY.reveal(28, bound=492)._repr_html_() == plain and not rooms._HALL
    Room(QUESTION)  # another one
    assert HOW_MANY.reveal(28, bound=492)._repr_html_() == plain


def test_numbers_are_asked_of_the_room_in_a_lecturers_kernel_alone(kernel, monkeypatch):
    boxes = []

    def remember(self, prediction):
        init(self, prediction)
        boxes.append(self.box)

    init = Commitment.__init__
    monkeypatch.setattr(Commitment, "__init__", remember)
    sentence = Predict(id="05-why", text="Why?", why="So.")
    HOW_MANY._repr_mimebundle_()
    monkeypatch.setenv("HALFSPACES_ROOM", "coursekit.lecture.room.panel")
    HOW_MANY._repr_mimebundle_()
    sentence._repr_mimebundle_()
    offered = ["Ask the room" in str(box.children[-1]) for box in boxes]
    assert offered == [False, True, False]
    boxes[1].children[-1].click()
    assert Phone(rooms.hall().server.address).get().body.count('id="number"') == 1


# The picture


NUMBERS = some.lists(
    some.one_of(
        some.integers(-5, 40).map(str),
        some.integers(0, 10**9).map(str),
        some.floats(-1e12, 1e12).map(lambda x: f"{x:.6g}"),
        some.sampled_from(["∞", "-∞", "1e300", "0", "3/4"]),
    ),
    max_size=30,
)


@given(NUMBERS, some.lists(some.integers(0, 10**6).map(str), max_size=2))
def test_every_number_is_in_one_bar_and_the_marks_are_inside(said, marks):
    found = histogram(said, marks)
    assert sum(found.counts) + found.beyond == len(said)
    assert len(found.counts) <= 24 and len(found.edges) == len(found.counts) + 1
    assert list(found.edges) == sorted(set(found.edges))
    for text in said:
        value = histograms.as_float(text)
        if abs(value) <= histograms.BEYOND:
            slack = 1e-9 * abs(value)
            assert found.edges[0] - slack <= value <= found.edges[-1] + slack
    for mark in marks:
        assert -1e-6 <= found.place(float(mark)) <= len(found.counts) + 1e-6
    summary(said, "points", *(*marks, "", "")[:2])


def test_bars_have_round_edges_and_grow_where_numbers_are_crowded():
    assert histogram(["3", "5", "5"]).counts == (1, 0, 2)
    assert histogram(["0.1", "0.9"]).edges[:2] == (0.1, 0.2)
    assert [f"{e:g}" for e in histogram(["10", "95", "33"]).edges][:3] == ["10", "20", "30"]
    crowd = histogram([*map(str, range(10, 60)), "1000000"])
    assert crowd.edges[:3] == (10, 100, 1000) and crowd.counts[0] == 50


# Why?


def test_sentences_are_collected_when_asked_for_and_shown_when_picked(room):
    phones = [Phone(room.address) for _ in range(3)]
    for phone in phones:
        phone.vote("A")
    assert "Why?" not in phones[0].get().body
    early = b"state=1.first&sentence=x"
    assert phones[0].request("POST", f"{phones[0].path}/why", early).status == 409
    room.step("discussion")
    room.why.click()
    page = phones[0].get().body
    assert f'maxlength="{SENTENCE}"' in page and "Why? One sentence" in page
    for phone, text in zip(phones, ("Both are lengths.", f"{EVIL} $x$", "Ü – “so”")):
        answer = phone.request(
            "POST", f"{phone.path}/why", f"state=1.discussion&sentence={quote_plus(text)}".encode()
        )
        assert answer.status == 303
    room.refresh()
    assert "3 sentences" in room.standing.value and not room.sentences.value.strip()
    assert "Your sentence has arrived" in phones[0].get().body
    device = next(d for d, text in room.poll.sentences.items() if EVIL in text)
    room.hall.store.pick(device, True)
    room.refresh()
    assert "&lt;script&gt;" in room.sentences.value and "Both are" not in room.sentences.value
    room.hall.store.pick(device, False)
    room.refresh()
    assert not room.sentences.value.strip()
    assert EVIL not in phones[1].get().body and "&lt;script&gt;" in phones[1].get().body
    room.step("second")  # and no more
    assert "Why?" not in phones[0].get().body
    stop()
    assert len(Room(QUESTION).poll.sentences) == 3


@pytest.mark.parametrize(
    ("sentence", "status"),
    [("%20", 422), ("x" * (SENTENCE + 1), 422), ("x" * 5000, 413), ("%00", 400), ("%FF", 400)],
)
def test_what_is_no_sentence_is_refused(room, sentence, status):
    phone = Phone(room.address)
    room.step("discussion")
    room.why.click()
    body = f"state=1.discussion&sentence={sentence}".encode()
    assert phone.request("POST", f"{phone.path}/why", body).status == status
    assert not room.poll.sentences
    longest = quote_plus("€" * SENTENCE)
    body = f"state=1.discussion&sentence={longest}".encode()
    assert phone.request("POST", f"{phone.path}/why", body).status == 303


# The lecturer's own page


def test_round_one_is_on_the_lecturers_page_and_nowhere_else(room):
    phone = Phone(room.address)
    phone.vote("C")
    room.step("discussion")
    desk = Phone(room.hall.server.desk, "")
    page = desk.get()
    assert page.status == 200 and "1 · 100 %" in page.body
    assert "✓ right" not in page.body  # it may be seen over a shoulder
    assert not room.results.value and "100 %" not in phone.get().body
    assert room.hall.server.desk in room.desk.value
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_the_lecturers_page_asks_for_sentences_and_picks_them(room):
    phone = Phone(room.address)
    room.step("discussion")
    desk = Phone(room.hall.server.desk, "")
    assert desk.post("why=yes").status == 303 and room.poll.why
    phone.request("POST", f"{phone.path}/why", b"state=1.discussion&sentence=So")
    device = re.search(r'name="show" value="(\w+)"', desk.get().body)[1]
    desk.post(f"show={device}")
    assert room.poll.chosen == ["So"] and "on the projector" in desk.get().body
    desk.post(f"hide={device}")
    assert room.poll.chosen == []
    for odd in ("show=x", "x=y", "", "%ff", "why"):
        assert desk.post(odd or " ").status == 303
    desk.post("why=no")
    assert not room.poll.why


def test_the_lecturers_page_is_the_lecturers(room):
    phone = Phone(room.address)
    key = urlsplit(room.hall.server.desk).path
    assert phone.request("GET", f"{phone.path}/desk/{'0' * 32}").status == 403
    assert phone.request("GET", f"{phone.path}/desk/").status == 404
    evil = phone.request("POST", key, b"why=yes", Origin="http://evil.example")
    assert evil.status == 405 and not room.poll.why
    assert phone.request("PUT", key).status == 405
    server = room.hall.server
    from coursekit.lecture.room.requests import respond
    from tornado.httputil import RequestStartLine

    start = RequestStartLine("GET", key, "HTTP/1.1")
    headers = {"Host": server.host}
    assert respond(server, start, headers, b"", "10.9.8.7").status == 403  # from elsewhere
    assert respond(server, start, headers, b"", "127.0.0.1").status == 200


# In the notebooks


def test_three_notebooks_and_more_ask_for_numbers_on_slides_and_draw_their_bounds():
    found = set()
    for path in all_notebooks():
        cells = read_notebook(path).cells
        on_slides = [
            cell
            for cell in cells
            if cell.cell_type == "code"
            and cell.metadata.get("slideshow", {}).get("slide_type") != "skip"
        ]
        asked = [
            cell.source.split(" ")[0]
            for cell in on_slides
            if "number=" in cell.source and calls(cell.source, "Predict")
        ]
        for name in asked:
            text = "\n".join(cell.source for cell in on_slides)
            if re.search(rf"\b{name}\.reveal\([^\n]*bound=", text):
                found.add(path.stem[:3].rstrip("-"))
    assert {"02b", "05", "09"} <= found
