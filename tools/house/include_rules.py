"""Who may include whom. This table is the architecture."""

from __future__ import annotations

import re

from house.tree import Finding, Source, Tree

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')

# folder -> folders whose headers it may include (its own always).
ALLOWED = {
    "src/core": [],
    "src/dispatch": ["src/core"],
    "src/autograd": ["src/core", "src/dispatch"],
    "src/kernels": ["src/core", "src/dispatch"],
    "src/trace": ["src/core"],
    "src/io": ["src/core"],
    "inspector/model": ["src/trace", "src/io", "src/core"],
    "inspector/widgets": ["src/core/error.h"],
    "inspector/panels": ["inspector/model", "inspector/widgets", "src/core/error.h"],
    "inspector/app": ["inspector/model", "inspector/widgets", "inspector/panels", "src/core"],
}

# system header -> the only folders that may use it.
SYSTEM = {
    "imgui": ["inspector/widgets", "inspector/panels", "inspector/app", "tests/inspector"],
    "GLFW": ["inspector/app", "tests/inspector"],
    "GL/": ["inspector/app", "tests/inspector"],
    "png.h": ["inspector/app", "tests/inspector"],
    "zlib.h": ["src/io", "src/trace", "tests"],
    "flatbuffers": ["src/trace", "tests"],
    "nlohmann": ["src/io", "inspector/model", "tests"],
    "CLI/": ["inspector/app"],
    "doctest": ["tests"],
}


def folder_of(path: str) -> str:
    return "/".join(path.split("/")[:2])


def target_of(name: str, source: Source, tree: Tree) -> str | None:
    """Returns: the included file's path in the tree, or None for a header from elsewhere."""
    known = set(tree.paths)
    beside = "/".join(source.path.split("/")[:-1] + [name])
    for candidate in (f"src/{name}", name, beside):
        if candidate in known:
            return candidate
    return None


def check(tree: Tree) -> list[Finding]:
    found = []
    for source in tree.sources:
        folder = folder_of(source.path)
        for number, line in enumerate(source.lines, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, name = match.group(1) == '"', match.group(2)
            for text in _complaints(folder, source, name, quoted, tree):
                found.append(Finding(source.path, number, text))
    return found


def _complaints(folder: str, source: Source, name: str, quoted: bool, tree: Tree) -> list[str]:
    for prefix, folders in SYSTEM.items():
        if name.startswith(prefix) and not any(source.path.startswith(f) for f in folders):
            return [f"<{name}> is for {', '.join(folders)} only; go through one of their headers"]
    if not quoted or folder not in ALLOWED:
        return []
    target = target_of(name, source, tree)
    if target is None:
        return [] if name.endswith("_generated.h") else [f'"{name}" is no file of this tree; use <> for others']
    if folder_of(target) == folder or any(target.startswith(a) for a in ALLOWED[folder]):
        return []
    return [f"{folder} may not include {folder_of(target)}; move the code, or the edge into the table"]
