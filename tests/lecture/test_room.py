"""The voting room: what it refuses, what it counts, and what is left after a kernel has died."""

import ast
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

import pytest
from coursekit import ROOT
from coursekit.contents import all_notebooks, read_notebook
from coursekit.lecture.deck import questions
from coursekit.lecture.room import pages as room_pages
from coursekit.lecture.room import panel as rooms
from coursekit.lecture.room import requests as room_requests
from coursekit.lecture.room import server as room_server
from coursekit.lecture.room import store as room_store
from coursekit.lecture.room.html import with_math
from coursekit.lecture.room.panel import Room
from halfspaces.notebook.questions import Ballot, Question
from phones import EVIL, FORM, GOOD, OTHER, QUESTION, Phone, guest, nobody_counted, stop

pytestmark = pytest.mark.usefixtures("kernel")

# Two rounds


def test_two_rounds_are_counted_true(room):
    phones = [Phone(room.address) for _ in range(6)]
    for phone, letter in zip(phones, "AAABCB"):
        assert phone.vote(letter).status == 303
    assert (
        phones[0].vote("A").status == phones[1].vote("C").status == 303
    )  # the same again, and a change of mind
    assert room.counts[0] == {"A": 2, "B": 2, "C": 2}
    room.step("discussion")
    assert phones[2].vote("B").status == 409
    room.step("second")
    for phone, letter in zip(phones, "BBBBA"):
        phone.vote(letter)
    room.step("closed")
    assert phones[5].vote("B").status == 409
    room.step("shown")
    assert room.counts == [{"A": 2, "B": 2, "C": 2}, {"A": 1, "B": 4, "C": 0}]
    text = re.sub(r"<.*?>", " ", room.results.value)
    assert "33 % right in round one, 80 % in round two" in text
    assert "Of the 5 who voted twice, 3 went from wrong to right and 0 from right to wrong" in text
    rows = re.findall(r"<tr.*?</tr>", room.results.value, re.DOTALL)[1:]
    assert [re.findall(r"(\d+) · (\d+) %", row) for row in rows] == [
        [("2", "33"), ("1", "20")],
        [("2", "33"), ("4", "80")],
        [("2", "33"), ("0", "0")],
    ]
    assert ["✓ right" in row for row in rows] == [False, True, False]
    for part in (GOOD["explanation"].replace("&", "&amp;"), *GOOD["misconceptions"].values()):
        assert part in room.results.value


def test_nothing_of_round_one_is_shown_before_round_two_is_over(room):
    phones = [Phone(room.address) for _ in range(7)]
    for phone in phones:
        phone.vote("C")
    for stage in ("discussion", "second", "closed"):
        room.step(stage)
        assert not room.results.value
        page = phones[0].get().body.partition("<body>")[2]
        assert (
            not re.search(r"\b7\b", page) and GOOD["hint"] not in page and "no distance" not in page
        )
        assert "✓ right" not in page


def test_a_page_left_open_votes_in_no_other_round(room):
    phone = Phone(room.address)
    room.step("discussion")
    room.step("second")
    answer = phone.vote("A", state="1.first")
    assert (
        answer.status == 409
        and "closed before your vote arrived" in answer.said
        and "Round two" in answer.body
    )
    Room(OTHER)
    assert phone.vote("A", state="1.second").status == 409 and "Another?" in phone.get().body
    assert nobody_counted(room)


def test_buttons_lead_on_and_a_second_click_does_nothing(room):
    for stage, before in zip(rooms.STEPS, ("first", "discussion", "second", "closed")):
        room.step("closed" if stage != "closed" else "discussion")  # not now
        assert room.poll.stage == before
        enabled = [name for name, button in room.buttons.items() if not button.disabled]
        assert enabled == [stage, "shown"] if before == "discussion" else [stage]
        room.buttons[stage].click()
        room.buttons[stage].click()
        assert room.poll.stage == stage
    room.again.click()
    assert room.poll.stage == "first" and room.poll.number == 2 and nobody_counted(room)


def test_round_two_can_be_skipped(room):
    phone = Phone(room.address)
    phone.vote("A")
    assert room.buttons["shown"].description == "Show results"
    room.step("discussion")
    assert "Skip" in room.buttons["shown"].description
    room.buttons["shown"].click()
    assert room.poll.stage == "shown"
    assert "0 % right." in room.results.value and "Round two" not in room.results.value
    assert "You voted A." in phone.get().body and "Behind A:" in phone.get().body
    stop()
    assert Room(QUESTION).poll.rounds == 1


def test_a_question_that_was_asked_shows_how_it_went_and_takes_no_phone_away(room):
    Phone(room.address).vote("A")
    for stage in rooms.STEPS:
        room.step(stage)
    other = Room(OTHER)
    again = Room(Question(**GOOD))  # its cell was run again
    assert (
        again.poll.stage == "shown"
        and again.counts[0]["A"] == 1
        and other._now()
        and not again._now()
    )
    assert "Another?" in Phone(room.address).get().body


def test_the_discussion_has_a_clock_and_can_be_ended_early(room, monkeypatch):
    room.step("discussion")
    assert re.search(r">(2:00|1:5\d)<", room.standing.value)
    room.poll.since -= 60
    room.refresh()
    assert re.search(r">(1:00|0:5\d)<", room.standing.value)
    room.poll.since -= 90
    room.refresh()
    assert "Time is up" in room.standing.value and room.poll.stage == "discussion"
    room.step("second")
    assert "Round two" in room.standing.value


def test_the_panel_follows_the_votes_by_itself(room):
    for n in range(3):
        Phone(room.address).vote("ABC"[n])
    for _ in range(50):
        if ">3 votes<" in room.standing.value and "3 phones have" in room.standing.value:
            break
        time.sleep(0.1)
    assert ">3 votes<" in room.standing.value and "3 phones have" in room.standing.value


# Votes that are refused


@pytest.mark.parametrize(
    "body",
    [
        "state=1.first",
        "choice=A",
        "state=1.first&choice=",
        "state=1.first&choice=D",
        "state=1.first&choice=a",
        "state=1.first&choice=AB",
        "state=1.first&choice=A&choice=B",
        "state=1.first&choice=A&name=Eve",
        "state=1.first&state=1.first&choice=A",
        "choice",
        "&&&",
        "=",
        "%",
        '{"state": "1.first", "choice": "A"}',
        b"state=1.first&choice=\xc3\x84",
        b"state=1.first&choice=\xff",
        b"\0" * 20,
        "state=1.first&choice=%00",
        "state=1.first;choice=A",
        f"state=1.first&choice={EVIL}",
    ],
)
def test_malformed_votes_are_refused_with_a_sentence(room, body):
    answer = Phone(room.address).post(body)
    assert (answer.status, answer.said) == (400, "That was not a vote this page could have sent.")
    assert nobody_counted(room)


@pytest.mark.parametrize(
    "state", ["", "0.wait", "2.first", "1.second", "1.closed", EVIL, "1.first%20"]
)
def test_votes_for_what_is_not_open_are_refused(room, state):
    assert Phone(room.address).post(f"state={state}&choice=A").status in (400, 409)
    assert nobody_counted(room)


@pytest.mark.parametrize(
    "kind", ["multipart/form-data; boundary=x", "multipart/form-data", "text/plain", "x/\xe9"]
)
def test_other_kinds_of_body_do_no_harm(room, kind):
    answer = Phone(room.address).post(
        '--x\r\nContent-Disposition: form-data; name="choice"\r\n\r\nA\r\n--x--', Content_Type=kind
    )
    assert answer.status == 400 and nobody_counted(room)
    assert Phone(room.address).vote("A").status == 303


def test_oversized_votes_are_refused(room):
    phone = Phone(room.address)
    good = "state=1.first&choice=A&x="
    answer = phone.post(good.ljust(room_requests.BODY + 1, "x"))
    assert answer.status == 413 and "too large" in answer.said
    assert phone.post(good.ljust(1_000_000, "x")).status in (0, 400)
    assert phone.request(
        "POST", phone.path, Content_Type=FORM, Content_Length="99999999999"
    ).status in (0, 400)
    chunks = b"400\r\n" + b"x" * 1024 + b"\r\n"
    assert phone.post(
        chunks * 40 + b"0\r\n\r\n", Transfer_Encoding="chunked", Content_Length=""
    ).status in (0, 400)
    assert phone.request("GET", phone.path, X="x" * 20_000).status in (0, 400, 431)
    assert phone.request("GET", phone.path + "?" + "x" * 20_000).status in (0, 400, 414, 431)
    assert nobody_counted(room) and phone.vote("A").status == 303


def test_forged_votes_are_refused(room):
    phone = Phone(room.address)
    device, _, signature = phone.cookie.partition("=")[2].partition(".")
    other = room_requests.write_cookie("another room's secret", device)
    forged = [
        "",
        "room-CODE=",
        "room-CODE=.",
        f"room-CODE={device}",
        f"room-CODE={device}.",
        f"room-CODE={device}.{signature[:-1]}0x",
        f"room-CODE={'0' * 16}.{signature}",
        f"room-CODE={other}",
        f"device=a{device}.{signature}",
        f"room-CODE={device}.{signature.upper()}x",
        "room-CODE=\xe4.\xe4",
        f"room-CODE={EVIL}.{EVIL}",
    ]
    for cookie in forged:
        cookie = cookie.replace("CODE", room.hall.store.code)
        answer = Phone(room.address, cookie).post("state=1.first&choice=A")
        assert answer.status == 403 and "without the room's cookie" in answer.said, cookie
    assert nobody_counted(room)
    assert Phone(room.address, phone.cookie).vote("A").status == 303 and room.counts[0]["A"] == 1


def test_a_cookie_is_kept_and_hidden_from_scripts(room):
    first = Phone(room.address, "").get().headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(first.split("; "))
    assert "Set-Cookie" not in Phone(room.address).get().headers


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://evil.example", 403),
        ("null", 403),
        ("http://127.0.0.1:1", 403),
        ("https://127.0.0.1", 403),
        (EVIL, 403),
        ("http://[", 403),
        ("", 303),
    ],
)
def test_votes_from_other_pages_are_refused(room, origin, status):
    answer = Phone(room.address).post("state=1.first&choice=A", Origin=origin)
    assert answer.status == status and room.counts[0]["A"] == (status == 303)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil", EVIL],
)
def test_other_names_for_this_machine_are_refused(room, host):
    phone = Phone(room.address)
    host = host.format(port=urlsplit(room.address).port)
    for method in ("GET", "POST"):
        answer = phone.request(method, phone.path, b"state=1.first&choice=A", Host=host)
        assert answer.status in (400, 421) and "<form" not in answer.body
    assert nobody_counted(room)


def test_only_known_paths_and_methods(room):
    phone = Phone(room.address)
    for path in (
        "/",
        "/favicon.ico",
        "//",
        f"{phone.path}//",
        f"{phone.path}/x",
        f"{phone.path}/../x",
        "/..",
        "/%00",
        f"{phone.path}x",
        f"/static{phone.path}",
        f"{phone.path}%2fstate",
        f"{phone.path};x",
    ):
        assert phone.request("GET", path).status in (400, 404), path
    for method in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "X"):
        for path in (phone.path, f"{phone.path}/state", f"{phone.path}/room.js"):
            assert phone.request(method, path).status in (400, 405), (method, path)
    room.hall.server.known.spent.clear()  # so many requests
    for path in (f"{phone.path}/state", f"{phone.path}/room.js"):
        assert phone.request("POST", path, b"state=1.first&choice=A").status == 405
    assert nobody_counted(room)


def test_wrong_codes_are_put_off_and_the_right_one_never(room):
    inside, stranger = Phone(room.address), Phone(room.address, "")
    statuses = [
        stranger.request("GET", f"/CCC{a}{b}").status
        for a in "CDFGHJKMNP"
        for b in "CDFGHJKMNPRTVWXY"
    ]
    assert (
        statuses[:50] == [404] * 50 and set(statuses[52:]) <= {404, 429} and statuses.count(429) > 5
    )
    assert stranger.request("GET", "/favicon.ico").status == 429
    assert stranger.get().status == 200  # the hall shares the address of whoever guesses
    assert Phone(room.address).vote("B").status == 303
    assert inside.vote("A").status == 303


def test_a_device_that_sends_too_much_stops_only_itself(room):
    eager, calm = Phone(room.address), Phone(room.address)
    answers = [eager.request("GET", f"{eager.path}/state") for _ in range(60)]
    assert answers[-1].status == 429 and answers[-1].headers["Retry-After"]
    assert "Too many requests" in answers[-1].said
    assert calm.vote("A").status == 303


def test_nothing_from_outside_is_shown(room, capfd):
    phone = Phone(room.address)
    answers = [
        phone.request("GET", f"/{EVIL}"),
        phone.request("GET", f"{phone.path}?{EVIL}"),
        phone.request(
            "GET",
            phone.path,
            User_Agent=EVIL,
            Referer=EVIL,
            X_Forwarded_For=EVIL,
            Accept_Language=EVIL,
        ),
        Phone(room.address, f"room-{room.hall.store.code}={EVIL}").get(),
        phone.post(f"state={EVIL}&choice={EVIL}"),
        phone.post("state=1.first&choice=A", Origin=EVIL),
        phone.request(EVIL, phone.path),
        phone.request("GET", phone.path, Host=EVIL),
        phone.post("x=1", Content_Type=EVIL),
    ]
    for answer in answers:
        assert "alert(1)" not in answer.body + str(answer.headers)
        assert answer.status == 400 and not answer.body or answer.headers["Content-Security-Policy"]
    for stage in rooms.STEPS:
        room.step(stage)
    assert "alert(1)" not in room.where.value + room.standing.value + room.results.value
    assert "alert(1)" not in room.hall.store.path.read_text("utf-8")
    assert "".join(capfd.readouterr()) == ""  # it would end up in the notebook


def test_slow_clients_are_cut_off_and_others_are_served_meanwhile(monkeypatch):
    monkeypatch.setattr(room_server, "SLOW", 0.5)
    room = Room(QUESTION)
    phone = Phone(room.address)
    where = (urlsplit(room.address).hostname, urlsplit(room.address).port)
    head = (
        f"POST {phone.path} HTTP/1.1\r\nHost: {phone.host}\r\nCookie: {phone.cookie}\r\n"
        "Content-Length: 24\r\n\r\n"
    )
    lines = [socket.create_connection(where, timeout=30) for _ in range(3)]
    for line, text in zip(lines, ("", "GET / HT", head + "state=1.fir")):
        line.sendall(text.encode())
    assert phone.vote("B").status == 303
    for line in lines:
        assert line.recv(100) == b""
        line.close()
    assert room.counts[0] == {"A": 0, "B": 1, "C": 0}


def test_when_all_connections_are_taken_the_oldest_gives_way(monkeypatch):
    monkeypatch.setattr(room_server, "CONNECTIONS", 5)
    monkeypatch.setattr(room_server, "SLOW", 60)
    room = Room(QUESTION)
    where = (urlsplit(room.address).hostname, urlsplit(room.address).port)
    lines = [socket.create_connection(where, timeout=30) for _ in range(20)]
    assert Phone(room.address).vote("A").status == 303
    assert all(line.recv(100) == b"" for line in lines[:15])
    for line in lines:
        line.close()


# The page


def test_headers_allow_the_page_nothing_but_itself(room):
    answer = Phone(room.address).get()
    policy = answer.headers["Content-Security-Policy"]
    style = re.search("<style>(.*?)</style>", answer.body)[1]
    assert f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert not re.search(r"<script(?! src)|\son\w+=|<[^>]* style=|javascript:|https?:", answer.body)
    assert (
        answer.headers["X-Content-Type-Options"] == "nosniff"
        and answer.headers["Cache-Control"] == "no-store"
    )
    assert answer.headers["Referrer-Policy"] == "same-origin" and "Server" not in answer.headers


class Tags(HTMLParser):
    """Collect the tags of a page, and check that they are closed."""

    def __init__(self, page: str):
        super().__init__()
        self.tags, self.open, self.faults = [], [], []
        self.feed(page)
        assert not self.open and not self.faults, self.open + self.faults

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def test_a_phone_without_javascript_gets_through(room):
    phone = Phone(room.address)
    page = Tags(phone.get().body)
    (form,), (hidden,), buttons = page.all("form"), page.all("input"), page.all("button")
    assert form == {"method": "post", "action": phone.path} and [b["value"] for b in buttons] == [
        "A",
        "B",
        "C",
    ]
    assert not [
        m for m in page.all("meta") if m.get("http-equiv")
    ]  # while one reads, the page stays
    answer = phone.post(
        f"{hidden['name']}={hidden['value']}&{buttons[1]['name']}={buttons[1]['value']}"
    )
    assert (answer.status, answer.headers["Location"]) == (303, phone.path)
    for stage, text in (
        ("first", "Your vote is B"),
        ("discussion", "you voted B"),
        ("second", "Vote again"),
        ("closed", "Look to the front"),
        ("shown", "You voted B in round one and nothing in round"),
    ):
        room.step(stage)
        page = phone.get().body
        assert text in page and Tags(page).all("html")[0]["lang"] == "en"
        reloads = bool(
            re.search(r'<noscript><meta http-equiv="refresh" content="\d+"></noscript>', page)
        )
        assert reloads == (stage != "second")
    assert "Why:" in page


def test_the_chosen_one_is_marked_in_words(room):
    phone = Phone(room.address)
    phone.vote("C")
    assert re.search(r'value="C" class="mine">.*?✓ your vote</span></button>', phone.get().body)
    assert phone.get().body.count("✓ your vote") == 1


def course_questions() -> list[Question]:
    """Return every question of the notebooks."""
    books = map(read_notebook, all_notebooks())
    return [question for book in books for cell in book.cells for question in questions(cell)]


def standing(poll: room_store.Poll) -> Any:
    """Be a store that stands at a poll."""
    return SimpleNamespace(code="CDFGH", poll=poll, state=poll.state, followed=False)


def test_pages_of_all_questions_are_small_and_whole():
    found = course_questions()
    assert len(found) >= 20
    for question in found:
        for stage in room_store.Stage:
            poll = room_store.Poll(1, question, 0, stage)
            poll.votes[1]["me"] = poll.votes[2]["me"] = question.letters[0]
            page = room_pages.page(standing(poll), "me")
            Tags(page)
            assert len(page.encode()) < 12_000, (question.id, len(page))
            assert "$" not in page, question.id


def test_mathematics_stays_tex_where_it_is_not_understood():
    assert with_math(r"if $a<\b$ & **c**") == (
        r'if <code class="tex">$a&lt;\b$</code> &amp; <strong>c</strong>'
    )
    assert with_math(r"It costs \$5, not $5$.").startswith("It costs $5, not <math")


def test_a_code_is_easy_to_read_and_hard_to_guess(kernel):
    codes, signers = set(), set()
    for i in range(20):
        store = room_store.Store(kernel, f"n{i}")
        codes.add(store.code)
        signers.add(store.secret)
        store.close()
    assert len(codes) == len(signers) == 20 and all(
        re.fullmatch("[CDFGHJKMNPQRTVWXY]{5}", code) for code in codes
    )


def test_whatever_is_put_into_a_template_is_escaped(monkeypatch):
    monkeypatch.setitem(sys.modules, "segno", None)
    texts = {name: f"{EVIL} {name}" for name in ("text", "hint", "explanation")}
    evil = Question(
        **GOOD
        | texts
        | {"choices": [EVIL, f"{EVIL}2"], "misconceptions": {"A": EVIL}, "answer": "B"}
    )
    poll = room_store.Poll(1, evil, 0)
    poll.votes[1] = poll.votes[2] = {"me": "A"}
    shown = [room_pages.refusal(EVIL), rooms.address_html(f"http://{EVIL}", True, EVIL)]
    for poll.stage in room_store.Stage:
        poll.why = True
        poll.sentences, poll.picked = {"me": EVIL}, ["me"]
        shown += [room_pages.page(standing(poll), "me", EVIL), rooms.results_html(poll)]
        shown += [rooms.sentences_html(poll)]
    for html in shown:
        assert "<script>" not in html and "&lt;script&gt;" in html


# Who can vote


def test_phones_have_to_be_let_in_and_no_address_is_shown_before(room, network):
    assert room.address.startswith("http://127.0.0.1:")
    assert room.hall.server.socket.getsockname()[0] == "127.0.0.1"
    assert room.panel.children[0].children[0] is room.wide  # the first button
    assert room.wide.description == "Let phones in" and room.wide.button_style == "primary"
    assert "Press “Let phones in”" in room.where.value
    assert "<svg" not in room.where.value + room.aside.value
    port = urlsplit(room.address).port
    room.wide.click()
    assert network == ["0.0.0.0"]
    assert room.address == f"http://10.1.2.3:{port}/{room.hall.store.code}"
    assert f'aria-label="QR code of {room.address}"' in room.aside.value
    assert "127.0.0.1" not in room.aside.value and not room.where.value
    assert room.hall.store.code in room.aside.value
    room.step("discussion")
    assert not room.aside.value, (
        "while neighbours talk, the question and its sentences have the slide"
    )
    room.step("second")
    assert room.hall.store.code in room.aside.value
    assert Room(OTHER).address == room.address  # it stays open for the next question
    room.wide.click()
    assert network[-1] == "127.0.0.1"
    assert "Press “Let phones in”" in rooms.hall().rooms[OTHER.id].where.value


def test_what_was_tried_out_before_phones_are_let_in_does_not_count(room, network):
    trial = Phone(room.address)
    assert trial.vote("A").status == 303 and room.counts[0]["A"] == 1
    room.wide.click()
    assert nobody_counted(room)
    trial.host = urlsplit(room.address).netloc  # with the cookie it had
    assert trial.post("state=1.first&choice=A").status == 403
    assert guest(room).vote("B").status == 303
    stop()
    assert Room(QUESTION).counts[0] == {"A": 0, "B": 1, "C": 0}


def browser(room: Room) -> tuple[Any, Any]:
    """Be a browser that keeps cookies as RFC 6265 has it; return it and its cookies."""
    jar = CookieJar()
    return build_opener(HTTPCookieProcessor(jar), ProxyHandler({})).open, jar


@pytest.mark.parametrize("first", [0, 1, 2, 3, 4])
def test_one_phone_has_one_vote_however_the_address_is_typed(room, first):
    """A cookie of its own for each spelling of the address gave one phone several votes."""
    port, code = room.hall.store.port, room.hall.store.code
    here = f"http://127.0.0.1:{port}"
    spelled = [code, code.lower(), code.capitalize(), f"{code.lower()}/", f"{code}/?x=1"]
    addresses = [f"{here}/{text}" for text in spelled[first:] + spelled[:first]]
    addresses.insert(1, f"http://localhost:{port}/{code.lower()}")
    visit, jar = browser(room)
    for address, letter in zip(addresses, "ABCABC"):
        page = visit(address)
        assert page.url == room.address, address
        form = urlencode({"state": "1.first", "choice": letter}).encode()
        assert "Your vote is" in visit(page.url, form).read().decode()
        assert sum(room.counts[0].values()) == room.counts[0][letter] == 1
    assert len([cookie for cookie in jar if "room" in cookie.name]) == 1


def test_a_vote_by_another_name_of_this_machine_is_sent_on(room):
    phone = Phone(room.address)
    local = f"localhost:{urlsplit(room.address).port}"
    answer = phone.request("GET", phone.path.lower(), Host=local)
    assert (answer.status, answer.headers["Location"]) == (307, room.address)
    assert phone.request("GET", f"{phone.path}/state", Host=local).body == "elsewhere"
    assert phone.request("POST", phone.path, b"state=1.first&choice=A", Host=local).status == 421
    assert phone.request("GET", phone.path, Host=phone.host.upper()).status == 200
    assert nobody_counted(room)


@pytest.mark.parametrize(
    ("name", "base", "host"),
    [
        ("votes.example", "http://votes.example:{port}", "votes.example:{port}"),
        ("https://votes.example", "https://votes.example", "votes.example"),
    ],
)
def test_phones_may_know_the_machine_by_another_name(monkeypatch, name, base, host):
    bind = room_server._bind
    monkeypatch.setattr(room_server, "_bind", lambda where, ports: bind("127.0.0.1", ports))
    room = Room(QUESTION, network=name)
    port = room.hall.store.port
    assert room.address == f"{base.format(port=port)}/{room.hall.store.code}"
    phone = guest(room)
    assert phone.host == host.format(port=port)
    assert phone.get().status == 200 and phone.vote("A").status == 303


def test_without_a_network_it_says_so_and_goes_on(room, monkeypatch):
    def fail():
        raise OSError(101, "Network is unreachable")

    bind = room_server._bind
    monkeypatch.setattr(room_server, "_bind", lambda where, ports: bind("127.0.0.1", ports))
    monkeypatch.setattr(room_server, "_own_address", fail)
    room.wide.click()
    assert "no network" in room.where.value and Phone(room.address).vote("A").status == 303


def test_a_qr_code_where_segno_is_and_an_address_where_it_is_not(monkeypatch):
    address = "http://10.1.2.3:8765/CDFGH"
    assert f'aria-label="QR code of {address}"' in rooms.address_html(address, True, "CDFGH")
    monkeypatch.setitem(sys.modules, "segno", None)
    shown = rooms.address_html(address, True, "CDFGH")
    assert "<svg" not in shown and f'href="{address}"' in shown


# What is kept


def test_what_is_kept_has_no_names_and_only_its_owner_reads_it(room, kernel):
    phones = [Phone(room.address) for _ in range(2)]
    for phone in phones:
        phone.post("state=1.first&choice=A", User_Agent="Eve's phone", X_Forwarded_For="10.9.8.7")
    (file,) = kernel.iterdir()
    text = file.read_text("utf-8")
    assert (
        text.count('"vote"') == 2
        and "Eve" not in text
        and "10.9" not in text
        and "127.0.0.1" not in text
    )
    if os.name != "nt":
        assert file.stat().st_mode & 0o777 == 0o600
    assert {tuple(json.loads(line)) for line in text.splitlines() if '"vote"' in line} == {
        ("vote", "round", "device")
    }


@pytest.mark.parametrize(
    "torn", ['{"vote": "A", "round": 1, "d', "\0\0\0\0", '{"vote": "A"}', "[]", '{"stage', "\xe4"]
)
def test_a_torn_last_line_costs_nothing_but_itself(room, torn):
    phone, address = Phone(room.address), room.address
    phone.vote("B")
    path = room.hall.store.path
    stop()
    with path.open("ab") as file:
        file.write(torn.encode("latin-1"))
    again = Room(QUESTION)
    assert again.address == address and again.counts[0] == {"A": 0, "B": 1, "C": 0}
    assert Phone(again.address).vote("C").status == phone.vote("A").status == 303
    stop()
    assert Room(QUESTION).counts[0] == {"A": 1, "B": 0, "C": 1}


def test_a_vote_that_cannot_be_kept_is_refused_and_not_counted(room, monkeypatch):
    phone, write = Phone(room.address), os.write
    monkeypatch.setattr(
        os, "write", lambda file, data: write(file, data[:10] if b"vote" in data else data)
    )
    answer = phone.vote("A")
    assert answer.status == 503 and "could not be kept" in answer.said and nobody_counted(room)
    monkeypatch.setattr(os, "write", write)
    assert phone.vote("A").status == 303
    stop()
    assert Room(QUESTION).counts[0]["A"] == 1


def test_votes_are_kept_in_the_course_or_where_there_is_none_here(tmp_path, monkeypatch):
    monkeypatch.delenv("HALFSPACES_VOTES")
    assert rooms._folder() == ROOT / "votes"
    monkeypatch.setenv("HALFSPACES_COURSE", str(tmp_path / "no course"))
    monkeypatch.chdir(tmp_path)
    assert rooms._folder() == tmp_path / "votes"


def test_another_lecture_is_another_room(room):
    path, code = room.hall.store.path, room.hall.store.code
    Phone(room.address).vote("A")
    stop()
    old = time.time() - room_store.LIFETIME - 60
    os.utime(path, (old, old))
    again = Room(QUESTION)
    assert nobody_counted(again) and again.hall.store.code != code and path.exists()


def test_an_edited_question_is_another_question(room):
    Phone(room.address).vote("A")
    assert nobody_counted(Room(Question(**GOOD | {"text": "What now?"})))


PROCESS = f"""
import sys, time
from coursekit.lecture.room import server as room_server
from coursekit.lecture.room.panel import Room
from halfspaces.notebook.questions import Question
room_server.PORT = 0
room = Room(Question(**{GOOD!r}))
print(room.address, str(room.poll.stage), room.counts, flush=True)
for line in sys.stdin:
    exec(line)
    print(room.poll.stage, room.counts, flush=True)
"""


@pytest.fixture
def start() -> Iterator:
    """Start processes that hold a room; end those that are left."""
    processes = []

    def start_one() -> tuple[subprocess.Popen, str]:
        process = subprocess.Popen(
            [sys.executable, "-c", PROCESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        processes.append(process)
        return process, process.stdout.readline()

    yield start_one
    for process in processes:
        process.kill()
        process.communicate()


def is_closed(address: str) -> bool:
    """Say whether nobody listens there any more, within half a minute."""
    for _ in range(300):
        try:
            socket.create_connection(
                (urlsplit(address).hostname, urlsplit(address).port), timeout=1
            ).close()
        except OSError:
            return True
        time.sleep(0.1)
    return False


def say(process: subprocess.Popen, line: str) -> str:
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline()


def test_a_round_goes_on_after_the_process_was_killed_in_the_middle(start):
    process, said = start()
    address = said.split()[0]
    phones = [Phone(address) for _ in range(3)]
    phones[0].vote("A"), phones[1].vote("B")
    process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    process.wait(10)
    assert is_closed(address)
    process, said = start()
    assert said == f"{address} first {[{'A': 1, 'B': 1, 'C': 0}, {'A': 0, 'B': 0, 'C': 0}]}\n"
    assert (
        phones[0].vote("B").status == phones[2].vote("C").status == 303
    )  # with the cookies they had
    assert "discussion [{'A': 0, 'B': 2, 'C': 1}" in say(process, "room.step('discussion')")
    process.kill()
    process.wait(10)
    process, said = start()
    assert (
        said.startswith(f"{address} discussion [{{'A': 0, 'B': 2, 'C': 1}}")
        and phones[0].vote("A").status == 409
    )


def test_two_kernels_of_one_notebook_are_two_rooms(start):
    (_, said), (second, other) = start(), start()
    assert all(
        a != b for a, b in zip(said.split()[0].split("/")[2:], other.split()[0].split("/")[2:])
    )  # port and code
    assert (
        say(second, "room.close()")
        and is_closed(other.split()[0])
        and not is_closed(said.split()[0])
    )


def test_a_child_of_the_kernel_does_not_keep_the_port_open(start):
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    process, said = start()
    fork = "import os, time; pid = os.fork() or time.sleep(20) or os._exit(0); print(pid, end=' ')"
    child = say(process, fork).split()[0]
    try:
        process.kill()
        process.wait(10)
        assert is_closed(said.split()[0])
    finally:
        os.kill(int(child), signal.SIGKILL)


def test_a_kernel_restarts_in_the_middle_of_a_round_and_leaves_no_port_open(kernel, tmp_path):
    from jupyter_client.manager import start_new_kernel

    opened = PROCESS.partition("for line")[0].replace("print(", "answer = (")
    opened = opened.replace(", flush=True", "")
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    manager, client = start_new_kernel(env=env, stderr=subprocess.DEVNULL)

    def run(code: str) -> str:
        reply = client.execute_interactive(
            code, timeout=60, silent=True, user_expressions={"answer": "answer"}
        )
        return reply["content"]["user_expressions"]["answer"]["data"]["text/plain"]

    try:
        address, stage, _ = ast.literal_eval(run(opened))
        phone = Phone(address)
        assert phone.vote("C").status == 303
        manager.restart_kernel()
        client.wait_for_ready(timeout=60)
        assert ast.literal_eval(run(opened)) == (
            address,
            "first",
            [{"A": 0, "B": 0, "C": 1}, {"A": 0, "B": 0, "C": 0}],
        )
        assert phone.vote("A").status == 303
        manager.shutdown_kernel()
        assert is_closed(address)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_close_closes_the_port_and_the_thread(room):
    address, thread = room.address, room.hall.server.thread
    room.close()
    assert is_closed(address) and not thread.is_alive() and not room.address
    assert not [t for t in threading.enumerate() if t.name == room_server.THREAD]
    assert "room is closed" in room.standing.value
    assert Room(QUESTION).address == address


# Where it is offered


def test_a_lecturers_kernel_offers_to_ask_the_room(monkeypatch):
    monkeypatch.setattr(Ballot, "__init__", spy := record_boxes(Ballot.__init__))
    monkeypatch.delenv("HALFSPACES_ROOM", raising=False)
    plain = QUESTION._repr_mimebundle_()
    monkeypatch.setenv("HALFSPACES_ROOM", "coursekit.lecture.room.panel")
    lecturers = QUESTION._repr_mimebundle_()
    widget = "application/vnd.jupyter.widget-view+json"
    assert plain.pop(widget) and lecturers.pop(widget) and plain == lecturers
    without, beside = spy.boxes
    assert len(beside.children) == len(without.children) + 1
    ask = beside.children[-1]
    assert ask.description == "Ask the room" and not rooms._HALL
    ask.click()
    (panel,) = beside.children  # in the place of the ballot
    assert "room-panel" in panel._dom_classes
    assert Phone(rooms.hall().server.address).vote("A").status == 303


def record_boxes(method):
    def init(self, *args):
        method(self, *args)
        init.boxes.append(self.box)

    init.boxes = []
    return init


def test_students_never_import_the_room():
    code = (
        "import sys; from halfspaces.notebook.questions import Question; "
        f"Question(**{GOOD!r})._repr_mimebundle_(); "
        "print([m for m in sys.modules if 'coursekit' in m])"
    )
    env = {name: value for name, value in os.environ.items() if name != "HALFSPACES_ROOM"}
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=env | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert result.stdout == "[]\n", result.stderr
