"""Phones that follow the slides, where these lose somebody, and the page to take home."""

import json
import os
import re
from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import canonicalize

import nbformat
import pytest
from course_formulas import course_formulas
from coursekit import ROOT
from coursekit.contents import all_notebooks, read_notebook
from coursekit.formulas import to_mathml
from coursekit.lecture.room import door, follow
from coursekit.lecture.room import panel as rooms
from coursekit.lecture.room import server as room_server
from coursekit.lecture.room import slide as slides
from coursekit.lecture.room.panel import Room
from coursekit.lecture.room.takehome import take_home, write_takehome
from phones import EVIL, QUESTION, Phone, guest, stop

pytestmark = pytest.mark.usefixtures("kernel")
PNG = b64encode(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\0\1\0" + b"\0\0\0\x80" + b"\0" * 9)
PICTURE = {"image/png": PNG.decode(), "text/plain": "<Figure>"}


def markdown(source: str) -> dict[str, Any]:
    return {"id": "m", "type": "markdown", "source": source, "typed": False, "hidden": False}


def code(source: str, *outputs: Any, **parts: Any) -> dict[str, Any]:
    cell = {"id": "c", "type": "code", "source": source, "typed": False, "hidden": False}
    return cell | {"outputs": list(outputs)} | parts


def data(**about: Any) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}} | about


def show(number: int, title: str, *cells: dict[str, Any]) -> None:
    cells = [cell | {"outputs": cell.get("outputs", [])} for cell in cells]
    follow.show(json.dumps({"number": number, "title": title, "cells": cells}))


def at(phone: Phone, place: str = "/slide") -> str:
    return phone.request("GET", phone.path + place).body


# What followers see


def test_a_phone_follows_the_slides_when_it_may(room):
    phone = Phone(room.address)
    show(3, "First", markdown("# First\n\nText with $x<y$."))
    refused = phone.request("GET", f"{phone.path}/slide")
    assert (refused.status, refused.headers["Location"]) == (303, phone.path)
    assert "Slide</a>" not in phone.get().body and room.hall.store.slide is None
    state = at(phone, "/state")
    room.follow.click()
    assert at(phone, "/state") != state and "Slide</a>" in phone.get().body
    page = at(phone)
    assert page.count("First") == 2  # in the title and as the heading
    assert "<math" in page and "$" not in page
    before = at(phone, "/slide/state")
    show(3, "First", markdown("# First\n\nText with $x<y$."))
    assert at(phone, "/slide/state") == before
    show(4, "Second", markdown("# Second"), code("a = 1\n# more", typed=True))
    assert at(phone, "/slide/state") != before and "Second" in at(phone)
    room.follow.click()
    assert phone.request("GET", f"{phone.path}/slide").status == 303


def test_nothing_of_the_slides_leaves_this_machine_before_phones_are_let_in(room, network):
    show(1, "Secret", markdown("secret"))
    assert room.follow.layout.display == "none"
    assert room.hall.server.socket.getsockname()[0] == "127.0.0.1"
    room.wide.click()
    phone = guest(room)
    assert "secret" not in at(phone) and room.follow.layout.display is None
    room.follow.click()
    assert "secret" in at(phone)


def told(wanted: str = "") -> dict[str, Any]:
    """Return what the slides' dialog is told."""
    return door.door(wanted).data


def newcomer() -> Phone:
    """Be a phone in a room where nothing has been asked."""
    hall = rooms.hall()
    return guest(SimpleNamespace(hall=hall, address=hall.server.address))


def lead(phone: Phone, place: str = "") -> tuple[int, str | None]:
    """Return where a phone is sent on to."""
    answer = phone.request("GET", phone.path + place)
    return answer.status, answer.headers.get("Location")


def test_phones_follow_before_anything_is_asked(network):
    show(1, "First", markdown("# First"))
    assert not told()["open"] and "<svg" not in told()["html"]
    assert not network, "nobody listens yet"
    opened = told("in")
    assert opened["open"] and opened["followed"] and "<svg" in opened["html"]
    phone = newcomer()
    assert lead(phone) == (303, f"{phone.path}/slide") and "First" in at(phone)
    assert "Vote</a>" not in at(phone), "there is nothing to vote on"
    phone.cookie = ""
    assert lead(phone, "/slide")[0] == 200, "who keeps no cookies is not sent to and fro"
    Room(QUESTION)
    assert lead(phone) == (200, None) and "Vote</a>" in at(phone)
    assert not told("no slides")["followed"] and lead(phone, "/slide") == (303, phone.path)
    assert not told("out")["open"] and network == ["0.0.0.0", "127.0.0.1"]


def test_without_a_network_the_slides_say_so(monkeypatch):
    def nowhere() -> str:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(room_server, "_own_address", nowhere)
    said = told("in")
    assert "Network is unreachable" in said["html"] and not said["open"] and not said["followed"]


def test_followers_go_on_when_the_kernel_has_begun_anew(network):
    told("in")
    phone = newcomer()
    stop()
    for kept in (follow.LATEST, follow.STORES):
        kept.clear()
    show(4, "After it", markdown("# After it"))
    assert "After it" in at(phone)


def test_nobody_is_let_in_again_who_was_not_following(kernel, network):
    show(1, "First", markdown("# First"))
    assert not kernel.exists() and not network
    Room(QUESTION)
    stop()
    for kept in (follow.LATEST, follow.STORES):
        kept.clear()
    show(2, "Second", markdown("# Second"))
    assert rooms._HALL[0].server is None


def test_a_slide_has_text_pictures_with_their_words_and_code_to_copy():
    outputs = [
        data(data=PICTURE, metadata={"image/png": {"alt": 'A "line" < 2'}}),
        data(data={"text/html": "<table><tr><th>t</th></tr></table>", "text/plain": "t"}),
        {"output_type": "stream", "name": "stdout", "text": ["1 < 2\n", "3"]},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": []},
    ]
    text = slides.slide_html([markdown("## T\n\n- a\n- b"), code("x<y  # $1", *outputs)], ["z = 1"])
    for part in (
        "<li>a</li>",
        'alt="A &quot;line&quot; &lt; 2"',
        f'src="data:image/png;base64,{PNG.decode()}"',
        "<th>t</th>",
        "<pre>1 &lt; 2\n3</pre>",
        '<pre id="code-1" tabindex="0">x&lt;y  # $1</pre>',
        'data-copy="code-1"',
        "All code typed so far",
        '<pre id="typed" tabindex="0">z = 1</pre>',
    ):
        assert part in text, part
    assert "<h2>" not in text  # it is the title of the page
    hidden = slides.slide_html([code("secret()", *outputs, hidden=True)], [])
    assert "secret" not in hidden and "<table>" in hidden
    without = slides.slide_html([code("x", *outputs)], [], pictures=False)
    assert "<img" not in without and 'A "line" &lt; 2' in without


@pytest.mark.parametrize(
    "html",
    [
        EVIL,
        "<img src=x onerror=alert(1)>",
        "<img src='http://evil.example/x.png'>",
        "<a href='javascript:alert(1)'>x</a>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        "<iframe src='//evil.example'></iframe>",
        "<p style='position:fixed' onclick='alert(1)'>x",
        "<math><mtext><a href='javascript:alert(1)'>x</a></mtext></math>",
        "<form action='//evil.example'><input name=x></form>",
        "<meta http-equiv=refresh content='0;url=//evil.example'>",
        "<object data='//evil.example'>",
        "</article></main><p>",
        "<style>*{display:none}</style>",
        "<details><summary>x",
    ],
)
def test_of_html_only_what_is_harmless_is_left(html):
    for text in (
        slides.slide_html([markdown(f"x\n\n{html}\n")], []),
        slides.slide_html([code("", data(data={"text/html": html}))], []),
    ):
        assert not re.search(
            r"<(script|svg|a|iframe|form|input|meta|object|style|article|main)|\son\w+=|style=|"
            r"evil\.example|javascript:|</(main|article)",
            text,
        ), text
        assert sorted(re.findall(r"<(details|p|math)\b", text)) == sorted(
            re.findall(r"</(details|p|math)>", text)
        )


def test_every_formula_of_the_course_reaches_the_phones_as_it_is():
    for tex, block in course_formulas():
        before = to_mathml(tex, block)
        after = slides.harmless(before)
        assert canonicalize(after) == canonicalize(before), tex


def test_phones_are_not_told_what_is_for_those_who_read_alone():
    opening = (
        "# One\n\nWhy?\n\n**Time:** 4 minutes\n\n*Timing to here: 3 minutes.*\n\nTime: it flies."
    )
    text = slides.slide_html([markdown(opening)], [])
    assert "Why?" in text and "minutes" not in text


def test_slides_of_the_course_become_pages_with_formulas_and_twins(monkeypatch):
    """All cells of two notebooks, as the browser would send them."""
    for path in all_notebooks():
        if path.stem[:2] not in ("05", "09") or "b-" in path.stem[:4]:
            continue
        monkeypatch.setenv("JPY_SESSION_NAME", f"{path.stem}-2.ipynb")
        cells = [
            {"id": c.id, "type": c.cell_type, "source": c.source, "typed": False, "hidden": True}
            | {"outputs": c.get("outputs", [])}
            for c in read_notebook(path).cells
        ]
        for cell in cells:
            text = slides.slide_html([cell], [])
            if cell["type"] == "markdown":
                assert not re.search(
                    r"(?<!\\)\$[^$<]{1,40}\$", re.sub(r"(?s)<(pre|code).*?</\1>", "", text)
                ), cell["id"]
            assert text.count("<img") == len(re.findall(r'<img alt="[^"]{20,}" src="data:', text))
        live = [
            c
            for c in cells
            if any(
                o.get("data", {}).get("text/plain", "").startswith("Live picture")
                for o in c["outputs"]
            )
        ]
        assert len(live) >= 2
        assert all("<img alt=" in slides.slide_html([cell], []) for cell in live)


def test_a_slide_that_is_too_large_comes_without_its_pictures(room, monkeypatch):
    monkeypatch.setattr(follow, "LARGEST", 500)
    room.follow.click()
    large = data(
        data=PICTURE | {"image/png": PNG.decode() * 9}, metadata={"image/png": {"alt": "Dots."}}
    )
    show(1, "T", code("x", large))
    assert "<img" not in room.hall.store.slide.html and "Dots." in room.hall.store.slide.html


def test_code_is_kept_as_it_is_typed(room):
    phone = Phone(room.address)
    room.follow.click()
    cell = code("# heading", typed=True, id="one")
    show(2, "Typing", cell)
    assert not room.hall.store.typed
    show(2, "Typing", cell | {"source": "# heading\nx = 1"})
    show(2, "Typing", cell | {"source": "# heading\nx = 12"})
    show(5, "Later", markdown("later"))
    assert "x = 12" in at(phone)
    stop()
    assert Room(QUESTION).hall.store.typed == {
        "one": {"slide": 2, "title": "Typing", "code": "# heading\nx = 12"}
    }


def test_code_typed_before_the_first_question_is_not_lost():
    show(1, "Early", code("# heading\ny = 2", typed=True))
    assert Room(QUESTION).hall.store.typed["c"]["code"].endswith("y = 2")


def test_the_slide_in_front_comes_from_the_deck():
    static = ROOT / "lib/coursekit/lecture/labextensions/halfspaces-deck/static"
    assert "deck:slide" in (static / "deck.js").read_text("utf-8")
    assert "'follow.js'" in (static / "jupyterlab.js").read_text("utf-8")


# Lost


def test_a_slide_loses_a_phone_once(room):
    phones = [Phone(room.address) for _ in range(3)]
    room.follow.click()
    show(3, "Hard", markdown("hard"))
    lose = b"state=x&slide=3"
    for phone in (*phones[:2], phones[0]):
        assert phone.request("POST", f"{phone.path}/lost", lose).status == 303
    assert len(room.hall.store.lost[3]) == 2
    assert "this slide lost you" in at(phones[0]) and "Lost me here" in at(phones[2])
    show(4, "Next", markdown("next"))
    assert phones[2].request("POST", f"{phones[2].path}/lost", lose).status == 303  # a bit late
    for odd in (b"state=x&slide=x", b"slide=4", b"state=x&slide=4&x=1", b"state=x&slide=5"):
        assert phones[2].request("POST", f"{phones[2].path}/lost", odd).status == 400
    stranger = Phone(room.address, "")
    assert stranger.request("POST", f"{phones[0].path}/lost", b"state=x&slide=4").status == 403
    assert {n: len(who) for n, who in room.hall.store.lost.items()} == {3: 3}
    assert "lost" not in room.standing.value + room.where.value + room.aside.value
    desk = Phone(room.hall.server.desk, "")
    assert "Slide 3, Hard: 3" in desk.get().body
    stop()
    assert len(Room(QUESTION).hall.store.lost[3]) == 3


# To take home


def lecture(room: Room) -> None:
    """Vote, say why, and type."""
    phones = [Phone(room.address) for _ in range(2)]
    for phone in phones:
        phone.vote("C")
    room.step("discussion")
    room.why.click()
    for phone, text in zip(phones, ("Shown%20%3Cb%3E", "Not+shown")):
        phone.request("POST", f"{phone.path}/why", f"state=1.discussion&sentence={text}".encode())
    room.hall.store.pick(next(iter(room.poll.sentences)), True)
    room.step("second")
    phones[0].vote("B")
    room.step("closed")
    room.step("shown")
    room.follow.click()
    show(2, "Typing $x$", code("# heading\nx = '<b>'", typed=True))
    Phone(room.address).request("POST", f"{phones[0].path}/lost", b"state=x&slide=2")


def test_the_page_to_take_home_has_what_was_typed_and_voted(room, kernel, capsys):
    lecture(room)
    path = write_takehome("lecture", kernel)
    page = path.read_text("utf-8")
    for part in (
        "# heading\nx = &#39;&lt;b&gt;&#39;",
        "Slide 2: Typing <math",
        "0 % right in round one, 100 % in round two",
        "Behind C:",
        "Shown &lt;b&gt;",
    ):
        assert part in page, part
    assert "Not shown" not in page and "$" not in page
    assert not re.search(r"<script|https?:|src=\"(?!data:)", page)
    assert path.parent == kernel.parent / "export"
    assert take_home("lecture", kernel) is None
    assert "slide 2, Typing $x$: 1" in capsys.readouterr().out
    desk = Phone(room.hall.server.desk, "")
    path.unlink()
    desk.post("takehome=yes")
    assert path.exists() and str(path) in desk.get().body


def test_votes_whose_results_were_not_shown_stay_here(room, kernel, capsys):
    Phone(room.address).vote("A")
    assert take_home("lecture", kernel) == 1
    assert "nothing to take home" in capsys.readouterr().err
    assert not (kernel.parent / "export").exists()


def test_what_was_typed_and_drawn_is_read_from_the_copy(kernel):
    folder = kernel.parent / "live"
    folder.mkdir(parents=True)
    kernel.mkdir()
    picture = nbformat.v4.new_output(
        "display_data", data=PICTURE, metadata={"image/png": {"alt": "Two dots."}}
    )
    on_picture = {"on": ["img", 0], "colour": "blue", "points": [0.1, 0.1, 0.5, 0.25]}
    on_text = {"on": ["p", 0], "colour": "orange", "points": [5, 5, 300, 80]}
    alone = {"on": None, "colour": "ink", "points": [1, 1]}
    cells = [
        nbformat.v4.new_markdown_cell("# 5 · Title\n\nText", metadata={"ink": [on_text, alone]}),
        nbformat.v4.new_code_cell("draw()", outputs=[picture], metadata={"ink": [on_picture]}),
        nbformat.v4.new_code_cell("# f\nf = 1", metadata={"solution": "# f\nf = 2"}),
        nbformat.v4.new_code_cell("# g\n", metadata={"solution": "# g\ng = 2"}),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "05-x.ipynb")
    page = write_takehome("05-x", kernel).read_text("utf-8")
    assert "<h1>5 · Title</h1>" in page and "# f\nf = 1" in page and "# g" not in page
    assert page.count("<polyline") == 3 and "100.0,100.0 500.0,250.0" in page
    assert 'aria-label="Drawn by hand over: Two dots."' in page
    assert 'width="1000" height="500.0"' in page
    assert Path(os.environ["HALFSPACES_VOTES"]) == kernel


# Many at once


def test_none_of_many_voters_and_followers_is_lost(room, monkeypatch):
    """A small hall; benchmarks/room.py has a full one, and a clock."""
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.room import crowd_of

    show(1, "Slide", markdown("# Slide\n\nText"))
    room.follow.click()
    seen = crowd_of(room.address, 60, arrivals=1.0)
    assert room.counts[0] == {letter: seen["votes"].get(letter, 0) for letter in "ABC"}
    assert sum(seen["votes"].values()) == 60 and set(seen["statuses"]) == {200, 303}
    assert len(room.hall.store.lost[1]) == seen["lost"] > 0
