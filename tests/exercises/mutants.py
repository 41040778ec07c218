"""Change a program in one small place at a time, mechanically."""

import ast
from collections.abc import Iterator
from copy import deepcopy

COMPARE = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTE = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Add,
}


def mutants(code: str) -> Iterator[str]:
    """Return the changed program for each place that can be changed."""
    for number, node in enumerate(ast.walk(ast.parse(code))):
        for kind in range(len(changes(node))):
            tree = ast.parse(code)
            target = list(ast.walk(tree))[number]
            changes(target)[kind]()
            yield ast.unparse(ast.fix_missing_locations(tree))


def changes(node: ast.AST) -> list:
    """Return the functions that change a node in place, one for each change."""
    if isinstance(node, ast.Compare):
        flips = {i: COMPARE[type(op)] for i, op in enumerate(node.ops) if type(op) in COMPARE}
        return [lambda i=i, new=new: node.ops.__setitem__(i, new()) for i, new in flips.items()]
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in COMPUTE:
        return [lambda: setattr(node, "op", COMPUTE[type(node.op)]())]
    if isinstance(node, ast.BoolOp):
        return [
            lambda: setattr(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
        ]
    if isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        return [
            lambda: setattr(
                node, "value", not node.value if type(node.value) is bool else node.value + 1
            )
        ]
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        test = deepcopy(node.test)
        return [lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))]
    if isinstance(node, ast.Return) and not isinstance(node.value, (ast.Constant, type(None))):
        return [lambda: setattr(node, "value", ast.Constant(None))]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [lambda: setattr(node, "op", ast.UAdd())]
    return []
