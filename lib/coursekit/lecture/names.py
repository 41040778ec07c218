"""Read in a cell which names it defines and which it needs from cells above it; nothing is run."""

import ast
import symtable
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Names:
    """Hold the names that a cell defines, and those that must be there before it."""

    defines: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


@lru_cache(maxsize=1000)
def names(source: str) -> Names | None:
    """Return the names of a cell, or nothing if it is not Python.

    >>> found = names("for x in X:\\n    y = x + 1\\ndef f(t): return y * max(t, shift)")
    >>> sorted(found.defines), sorted(found.needs)
    (['f', 'x', 'y'], ['X', 'max', 'shift'])
    """
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    defines: set[str] = set()
    needs: set[str] = set()
    later: set[str] = set()  # what functions need when they are called
    for statement in _in_order(statements):
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
        at_once = {name.get_name() for name in table.get_symbols() if name.is_referenced()}
        inside = set(_globals(table))
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            later |= inside
        else:
            at_once |= inside
        needs |= at_once - defines
        defines |= {
            name.get_name()
            for name in table.get_symbols()
            if name.is_assigned() or name.is_imported()
        }
    return Names(frozenset(defines), frozenset(needs | (later - defines)))


def defines(source: str) -> frozenset[str]:
    """Return the names that a cell defines; none if it is not Python."""
    found = names(source)
    return found.defines if found else frozenset()


def needs(source: str) -> frozenset[str]:
    """Return the names that must be there before a cell; none if it is not Python."""
    found = names(source)
    return found.needs if found else frozenset()


def _in_order(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements one by one, loops and the like as their first line and what stands in them.

    >>> [ast.unparse(part) for part in _in_order(ast.parse("for x in X:\\n    y = x").body)]
    ['for x in X:\\n    pass', 'y = x']
    """
    for statement in statements:
        if isinstance(statement, ast.For | ast.While | ast.If | ast.With):
            head = copy(statement)
            head.body = [ast.Pass()]
            if not isinstance(head, ast.With):
                head.orelse = []
            yield head
        elif not isinstance(statement, ast.Try):
            yield statement
            continue
        handlers = [line for handler in getattr(statement, "handlers", []) for line in handler.body]
        for body in ("body", "orelse", "finalbody"):
            yield from _in_order(getattr(statement, body, []))
        yield from _in_order(handlers)


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield the names that functions, lambdas and comprehensions take from outside."""
    for child in table.get_children():
        for name in child.get_symbols():
            if name.is_global() and name.is_referenced():
                yield name.get_name()
        yield from _globals(child)


def links(cells: Sequence[Names | None]) -> list[set[int]]:
    """Return for each cell the places of all cells above on whose names it depends.

    >>> links([names("X = 1"), names("y = 2"), names("z = X"), None, names("print(z)")])
    [set(), set(), {0}, set(), {0, 2}]
    """
    definer: dict[str, int] = {}
    above: list[set[int]] = []
    for place, found in enumerate(cells):
        direct = {definer[name] for name in found.needs if name in definer} if found else set()
        above.append(direct.union(*(above[other] for other in direct)))
        if found:
            definer.update(dict.fromkeys(found.defines, place))
    return above
