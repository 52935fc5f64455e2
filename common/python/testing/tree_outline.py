"""Answers each JSON string on stdin, a Python text, with an outline of CPython's own syntax tree.

An outline is a list of JSON texts [line, kind, name, details], sorted by line, one for each node of the kinds that
outline() matches. A text that does not parse raises SyntaxError.
"""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


def parameters(arguments: ast.arguments) -> dict[str, object]:
    """The parameters of a function, with whether each has a default."""
    positional = arguments.posonlyargs + arguments.args
    required = len(positional) - len(arguments.defaults)
    return {
        "positional": [[each.arg, at >= required] for at, each in enumerate(positional)],
        "positionalOnly": len(arguments.posonlyargs),
        "variadic": arguments.vararg.arg if arguments.vararg else None,
        "keywordOnly": [
            [each.arg, default is not None]
            for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ],
        "keywords": arguments.kwarg.arg if arguments.kwarg else None,
    }


def outline(text: str) -> list[str]:
    """The outline of a module; parse-module.test.ts makes the same from the parser's own tree."""
    entries: list[list[object]] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ClassDef():
                entries.append([node.lineno, "class", node.name, len(node.bases)])
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                is_async = isinstance(node, ast.AsyncFunctionDef)
                entries.append([node.lineno, "def", node.name, [is_async, parameters(node.args)]])
            case ast.Import():
                entries.append([node.lineno, "import", "", [[a.name, a.asname] for a in node.names]])
            case ast.ImportFrom():
                names = [[a.name, a.asname] for a in node.names]
                entries.append([node.lineno, "from", node.module or "", [node.level, names]])
            case ast.Call():
                entries.append([node.lineno, "call", "", 0])
            case ast.Attribute():
                entries.append([node.lineno, "attribute", node.attr, 0])
            case ast.Name():
                entries.append([node.lineno, "name", node.id, 0])
            case ast.Compare():
                entries.append([node.lineno, "compare", "", [type(op).__name__ for op in node.ops]])
            case ast.Tuple():
                entries.append([node.lineno, "tuple", "", len(node.elts)])
            case ast.Try():
                handlers = [handler.type is not None for handler in node.handlers]
                entries.append([node.lineno, "try", "", [len(node.body), handlers, len(node.finalbody)]])
            case ast.While():
                entries.append([node.lineno, "while", "", 0])
            case ast.Assign():
                entries.append([node.lineno, "assign", "", len(node.targets)])
            case ast.AnnAssign():
                entries.append([node.lineno, "annotated", "", node.value is not None])
            case ast.Constant(value=None):
                entries.append([node.lineno, "none", "", 0])
    return sorted((json.dumps(entry) for entry in entries), key=lambda entry: (json.loads(entry)[0], entry))


for job in sys.stdin:
    print(json.dumps(outline(json.loads(job))))
