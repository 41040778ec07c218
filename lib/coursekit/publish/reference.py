"""Write the reference of the library from its docstrings, as Markdown and HTML."""

import dataclasses
import html
import importlib
import inspect
import re
from typing import Any, get_args

import halfspaces
from numpy.typing import ArrayLike

from coursekit.publish.rendering import Rendered, code_block, render_markdown

ROOMS = [  # in the order of the course
    "halfspace",
    "boolean",
    "separability",
    "perceptron",
    "runs",
    "mistake_bound",
    "losses",
    "kernels",
    "svm",
    "certificates",
    "datasets",
]
ARRAY = inspect.formatannotation(ArrayLike)
SHOWN = {"__call__"}  # of methods that begin with an underscore


def render_reference() -> Rendered:
    """Return the page: a section for each module, an entry for each public name."""
    rendered = Rendered()
    render_markdown(
        "# The library\n\nWhat `halfspaces` has to offer, in the order of the course. Functions "
        "are verbs, results are nouns, and what a function returns can `check()` itself. "
        "`pip install .` in the folder of the course installs it.\n\n",
        lambda _: None,
        rendered,
    )
    for room in ROOMS:
        module = importlib.import_module(f"halfspaces.{room}")
        name = f"halfspaces.{room}"
        rendered.sections.append((2, room, name))
        rendered.body += f'<h2 id="{room}"><code>{name}</code></h2>\n'
        rendered.body += _doc(module)
        for title, thing in _public(module):
            rendered.body += _entry(title, thing)
    return rendered


def public_names() -> set[str]:
    """Return all names that the page describes."""
    modules = [importlib.import_module(f"halfspaces.{room}") for room in ROOMS]
    return {title for module in modules for title, _ in _public(module)}


def _public(module: Any) -> list[tuple[str, Any]]:
    own = module is halfspaces.datasets
    return [
        (name, thing)
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(thing) or inspect.isfunction(thing) or name in halfspaces.__all__)
        and (name in halfspaces.__all__ or own or module.__name__.endswith("certificates"))
        and getattr(thing, "__module__", module.__name__) == module.__name__
    ]


def _entry(name: str, thing: Any) -> str:
    kind = "class" if inspect.isclass(thing) else "def" if inspect.isfunction(thing) else ""
    head = f"{kind} {name}{_signature(thing)}" if kind else name
    body = _doc(thing) if kind else ""
    if inspect.isclass(thing):
        body += _fields(thing) + "".join(_member(name, *one) for one in _members(thing))
    return (
        f'<section class="entry"><h3 id="{name}"><code>{name}</code></h3>\n'
        f"{code_block(head, 'python')}{body}</section>\n"
    )


def _member(owner: str, name: str, thing: Any) -> str:
    target = thing.fget if isinstance(thing, property) else getattr(thing, "func", thing)
    head = f"{name}" if target is not thing else f"{name}{_signature(thing)}"
    return (
        f'<h4 id="{owner}.{name}"><code>{html.escape(head)}</code></h4>\n'
        f"{_doc(getattr(target, '__func__', target))}"
    )


def _members(thing: Any) -> list[tuple[str, Any]]:
    return [
        (name, member)
        for name, member in vars(thing).items()
        if (not name.startswith("_") or name in SHOWN)
        and (
            callable(member)
            or hasattr(member, "func")
            or isinstance(member, property | classmethod)
        )
        and inspect.getdoc(member)
    ]


def _fields(thing: Any) -> str:
    if not dataclasses.is_dataclass(thing):
        return ""
    rows = "".join(
        f"<li><code>{one.name}: {html.escape(_type(one.type))}</code></li>"
        for one in dataclasses.fields(thing)
        if not one.name.startswith("_")
    )
    return f'<ul class="fields">{rows}</ul>\n' if rows else ""


def _type(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or re.sub(r"\b[a-z_]+\.", "", str(annotation))


class Written(str):
    """Hold an annotation as it was written."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return it without quotes."""
        return str(self)


def _as_written(annotation: Any) -> Any:
    """Call `ArrayLike | None` by its names: a union forgets them."""
    arrays, parts = get_args(ArrayLike), get_args(annotation)
    if not all(one in parts for one in arrays):
        return annotation
    others = [one for one in parts if one not in arrays]
    names = ["None" if one is type(None) else inspect.formatannotation(one) for one in others]
    return Written(" | ".join(["ArrayLike", *names]))


def _signature(thing: Any) -> str:
    try:
        told = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    parts = [
        one.replace(annotation=_as_written(one.annotation)) for one in told.parameters.values()
    ]
    told = told.replace(parameters=parts, return_annotation=_as_written(told.return_annotation))
    text = str(told).replace(ARRAY, "ArrayLike")
    text = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Za-z_])", "", text)  # numpy.ndarray is ndarray
    text = re.sub(r"\(self(?:, )?", "(", text)
    return re.sub(r"<[^>]*>", "…", text).replace("'", "")


def _doc(thing: Any) -> str:
    """Return a docstring as HTML; examples and indented lines are code."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"(?m)((?:^>>> .*\n?(?:(?!>>>).+\n?)*)+)", r"\n```pycon\n\1\n```\n", text)
    return render_markdown(text, lambda _: None).body
