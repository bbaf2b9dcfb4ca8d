"""How large files and functions may be."""

from __future__ import annotations

import ast
import re

from house.tree import Finding, Source, Tree

MOST_LINES = 500
MOST_FUNCTION = 60

# A line that opens a function body: ends in `{`, has a parameter list, and is no control statement, type or lambda.
OPENS = re.compile(r"\)\s*(const|noexcept|override|final|\s|->[^{;]*|:[^{;]*)*\{\s*$")
CONTROL = re.compile(r"^\s*(if|else|for|while|switch|do|try|catch|namespace|class|struct|enum|union|return|case)\b")
TEST = re.compile(r"^\s*(TEST_CASE|SUBCASE|TEST_CASE_FIXTURE)\b")


def check(tree: Tree) -> list[Finding]:
    found = []
    for source in tree.sources:
        if len(source.lines) >= MOST_LINES:
            found.append(Finding(source.path, 1, f"{len(source.lines)} lines; split it by nouns, below {MOST_LINES}"))
        found += _python(source) if source.suffix == ".py" else _braces(source)
    return found


def _python(source: Source) -> list[Finding]:
    found = []
    for node in ast.walk(ast.parse("\n".join(source.lines))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MOST_FUNCTION:
                found.append(Finding(source.path, node.lineno, _too_long(node.name, length)))
    return found


def _too_long(name: str, length: int) -> str:
    return f"{name}: {length} lines; a function stays within {MOST_FUNCTION}"


def _code_of(line: str) -> str:
    line = re.sub(r'R"\(.*?\)"', '""', line)
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    line = re.sub(r"'(\\.|[^'\\])'", "''", line)
    return line.split("//")[0]


def _braces(source: Source) -> list[Finding]:
    """Functions by brace depth: one counts from the line that opens it to the line that closes it."""
    found, depth, open_at, open_depth, name = [], 0, None, 0, ""
    for number, line in enumerate(source.lines, 1):
        code = _code_of(line)
        opens = OPENS.search(code) and not CONTROL.match(code) and "[" not in code.split("(")[0]
        if open_at is None and (opens or TEST.match(code)) and code.count("{") > code.count("}"):
            open_at, open_depth = number, depth
            match = re.search(r"([\w:~]+)\s*\(", code)
            name = match.group(1) if match else "function"
        depth += code.count("{") - code.count("}")
        if open_at is not None and depth <= open_depth:
            length = number - open_at + 1
            if length > MOST_FUNCTION:
                found.append(Finding(source.path, open_at, _too_long(name, length)))
            open_at = None
    return found
