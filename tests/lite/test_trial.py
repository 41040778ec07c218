"""What the comparison of two runs sees, and what it lets pass."""

from coursekit.publish.lite.trial import differences, faults


def book(*outputs, source="1 + 1"):
    return {"cells": [{"cell_type": "code", "source": source, "outputs": [*outputs]}]}


def said(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def shown(**data):
    return {
        "output_type": "execute_result",
        "data": {k.replace("_", "/"): v for k, v in data.items()},
    }


def test_another_text_is_a_difference():
    assert differences(book(said("2")), book(said("2\n"))) == []
    assert len(differences(book(said("2")), book(said("3")))) == 1
    assert len(differences(book(said("2")), book())) == 1
    table, other = shown(text_html="<b>2</b>"), shown(text_html="<b>3</b>")
    assert len(differences(book(table), book(other))) == 1


def test_bytes_of_pictures_are_not_compared():
    old, new = (shown(text_plain="[A line.]", image_png=png) for png in ("AA", "BB"))
    assert differences(book(old), book(new)) == []


def test_rounding_excuses_numbers_and_nothing_else():
    cell = "curves.reveal(1)"
    assert (
        differences(book(said("16 times"), source=cell), book(said("17 times"), source=cell)) == []
    )
    assert differences(book(said("16 times"), source=cell), book(said("17 rows"), source=cell))


def test_errors_and_warnings_are_faults():
    error = {"output_type": "error", "evalue": "no"}
    warning = {"output_type": "stream", "name": "stderr", "text": "careful"}
    assert faults(book(said("2"))) == []
    assert faults(book(error, warning)) == ["cell 0: no", "cell 0: careful"]
