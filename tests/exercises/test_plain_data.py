"""Plain data survive the way there and back; all else is refused before it costs anything."""

import itertools
import json
import socket
import struct
import threading
import time
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from coursekit.homework.grading.inside import channel, limits
from coursekit.homework.grading.inside.plain import Malformed, decode, encode
from halfspaces import AtLeast, Conjunction, DecisionList, Disjunction, Halfspace
from halfspaces.notebook.comparison import difference
from hypothesis import given, settings
from hypothesis import strategies as st

NUMBERS = (
    st.integers(-(10**500), 10**500)
    | st.floats(allow_nan=False)
    | st.fractions()
    | st.booleans()
    | st.none()
)
KEYS = st.text() | st.integers() | st.fractions()
DATA = st.recursive(
    NUMBERS | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(KEYS, inner)
        | st.sets(KEYS)
        | st.frozensets(KEYS)
    ),
    max_leaves=8,
)
THINGS = [
    Halfspace([1, 2], Fraction(1, 3)),
    Halfspace([0.5, 2], 1),
    Conjunction([1, -2], 3),
    Disjunction([], 2),
    AtLeast([1, 2, -3], 4, 2),
    DecisionList([(1, True), (-2, False)], True, 3),
    np.zeros((0, 3)),
    np.eye(3),
    np.arange(6, dtype=np.uint8).reshape(1, 2, 3),
    np.array([True]),
    np.array(3),
    np.array([1, Fraction(1, 2)], object),
    np.arange(4).astype(">i4"),
    np.arange(6).reshape(2, 3).T,
    complex(1, 2),
]


def there_and_back(value):
    return decode(json.loads(json.dumps(encode(value))))


@settings(max_examples=50)
@given(DATA)
def test_data_come_back_as_they_were(value):
    back = there_and_back(value)
    assert back == value and type(back) is type(value) and difference(back, value) is None


@pytest.mark.parametrize("value", THINGS, ids=repr)
def test_arrays_and_formulas_come_back(value):
    back = there_and_back(value)
    assert type(back) is type(value) and difference(back, value) is None


def test_numpy_scalars_become_numbers_and_the_rest_stays_apart():
    assert [there_and_back(v) for v in (np.int64(3), np.float32(0.5), np.True_)] == [3, 0.5, True]
    assert (
        there_and_back(np.True_) is True
        and there_and_back(1) is not True
        and there_and_back(...) is ...
    )
    assert (
        np.isnan(there_and_back(float("nan")))
        and there_and_back([True, 1, 1.0]).__repr__() == "[True, 1, 1.0]"
    )


class Sly(list):
    pass


@pytest.mark.parametrize(
    "value",
    [
        object(),
        print,
        Sly(),
        type("I", (int,), {})(3),
        np.zeros(1).view(np.recarray),
        np.array(["a"]),
        np.array([None, print], object),
        10**4000,
        Fraction(1, 10**4000),
        b"bytes",
        range(3),
        (i for i in ()),
        np.datetime64("2020-01-01"),
        np.broadcast_to(0.0, (10**9, 10**9)),
        np.zeros([1] * 9),
    ],
    ids=lambda v: type(v).__name__,
)
def test_other_things_are_not_sent(value):
    with pytest.raises(Malformed):
        encode(value)
    with pytest.raises(Malformed):
        encode([value])


FORGED = [
    {"array": ["<f8", [2**40], ""]},
    {"array": ["<f8", [2**70, 2**70], ""]},
    {"array": ["<f8", [-1], ""]},
    {"array": ["<f8", [True], "AAAAAAAAAAA="]},
    {"array": ["<f8", [float("inf")], ""]},
    {"array": ["<f8", "1", ""]},
    {"array": ["|O", [1], "AAAAAAAAAAA="]},
    {"array": [["<f8"], [1], ""]},
    {"array": ["<f8", [0] * 40, ""]},
    {"array": ["<f8", [1], "no base64"]},
    {"array": ["<f8", [1], 7]},
    {"array": None},
    {"array": []},
    {"array": ["<f8", [10**9, 0], ""]},
    {"objects": [[10**9, 0], []]},
    {"set": [{"fraction": [n * (2**61 - 1), 7]} for n in range(1, 1000)]},
    {"dict": [[n * (2**61 - 1), 0] for n in range(1000)]},
    {"objects": [[2**40], []]},
    {"objects": [[1], {}]},
    {"set": [[1]]},
    {"set": 7},
    {"set": list(range(10**4))},
    {"dict": [[[], 1]]},
    {"dict": [1]},
    {"dict": [[i, i] for i in range(10**4)]},
    {"fraction": [1, 0]},
    {"fraction": [1.5, 2]},
    {"fraction": [True, 2]},
    {"fraction": [1]},
    {"complex": ["1", "2"]},
    {"tuple": "ab"},
    {"Halfspace": [[1], 0, 0]},
    {"Halfspace": [["a"], 0]},
    {"Halfspace": [[float("nan")], 0]},
    {"Halfspace": None},
    {"Conjunction": [[1], 10**9]},
    {"Conjunction": [[5], 3]},
    {"DecisionList": [[[1, True]], True, True]},
    {"DecisionList": [[[1, 7]], True, 2]},
    {"a": 1, "b": 2},
    {},
    {"os.system": ["id"]},
    {"__class__": []},
    10**4200,
]


@pytest.mark.parametrize("data", FORGED, ids=lambda data: str(data)[:40])
def test_forged_data_are_refused_before_they_cost_anything(data):
    tracemalloc.start()
    with pytest.raises(Malformed):
        decode([data])
    assert tracemalloc.get_traced_memory()[1] < 1 << 22
    tracemalloc.stop()


def test_keys_may_collide_by_accident():
    value = {point: 0 for point in itertools.product((-2, -1), repeat=7)}  # hash(-1) is hash(-2)
    assert len(set(map(hash, value))) == 1 and there_and_back(value) == value


def test_deep_data_are_refused():
    deep = []
    for _ in range(100):
        deep = [deep]
    for work in (encode, decode):
        with pytest.raises(Malformed, match="deep"):
            work(deep)


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_frames(pair):
    for message in ([], ["ü", 1.5, None], ["x" * 100_000]):
        thread = threading.Thread(
            target=channel.send, args=(pair[0], message, time.monotonic() + 5)
        )
        thread.start()
        assert channel.receive(pair[1], time.monotonic() + 5) == message
        thread.join()


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff",
        struct.pack(">I", limits.FRAME_BYTES + 1),
        struct.pack(">I", 3) + b"[1,",
        struct.pack(">I", 60000) + b"[" * 60000,
        struct.pack(">I", 2) + b"\xff\xfe",
        struct.pack(">I", 5000) + b"7" * 5000,
    ],
)
def test_odd_frames_are_refused(pair, data):
    pair[0].sendall(data)
    with pytest.raises(channel.Odd):
        channel.receive(pair[1], time.monotonic() + 5)


def test_a_frame_has_one_deadline_however_it_is_dripped(pair):
    def drip():
        for _ in range(60):
            try:
                pair[0].send(b"\x00")
            except OSError:
                return
            time.sleep(0.05)

    pair[0].sendall(struct.pack(">I", 1000))
    thread, start = threading.Thread(target=drip), time.monotonic()
    thread.start()
    with pytest.raises(channel.Late):
        channel.receive(pair[1], start + 0.3)
    assert time.monotonic() - start < 2.5  # the dripping takes 3 s
    pair[1].close()
    thread.join()


def test_a_side_that_hangs_up_or_does_not_listen(pair):
    with pytest.raises(channel.Late):
        channel.send(pair[0], "x" * 4_000_000, time.monotonic() + 0.2)
    with pytest.raises(channel.Odd, match="too large"):
        channel.send(pair[0], "x" * 5_000_000)
    pair[0].close()
    with pytest.raises((channel.Lost, channel.Odd)):
        for _ in range(2):
            channel.receive(pair[1], time.monotonic() + 1)
