"""The checks of the house see what they are there to see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BANNER = "// What it is, in prose.\n//\n// PyTorch: none\n#pragma once\n"


def check(tree: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, str(ROOT / "tools/check_house.py"), "--root", str(tree)],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def write(tree: Path, path: str, text: str) -> None:
    (tree / path).parent.mkdir(parents=True, exist_ok=True)
    (tree / path).write_text(text)


def test_the_tree_itself_is_clean():
    """Every rule holds for this tree."""
    code, out = check(ROOT)
    assert code == 0, out


@pytest.mark.parametrize(("path", "text", "says"), [
    ("src/core/a.h", BANNER + '#include "trace/b.h"\n', "src/core may not include src/trace"),
    ("src/kernels/a.h", BANNER + '#include "autograd/b.h"\n', "src/kernels may not include src/autograd"),
    ("inspector/model/a.h", BANNER + "#include <imgui.h>\n", "<imgui.h> is for"),
    ("inspector/widgets/a.h", BANNER + '#include "inspector/model/b.h"\n', "inspector/widgets may not include inspector/model"),
    ("src/core/a.h", "#pragma once\n", "open the header with prose"),
    ("src/core/a.h", "// One.\n// Two.\n// Three.\n#pragma once\n", "the banner names no counterpart"),
    ("src/core/a.cpp", "int a;\n" * 500, "500 lines"),
    ("src/core/a.cpp", "void f() {\n" + "  g();\n" * 60 + "}\n", "f: 62 lines"),
    ("tools/a.py", "def f():\n" + "    g()\n" * 60, "f: 61 lines"),
    ("src/core/a.cpp", "// see Note [Nowhere]\n", "Note [Nowhere] is cited and stands nowhere"),
    ("src/core/a.cpp", "// Note [Twice]\n// a\n// Note [Twice]\n", "Note [Twice] stands already"),
    ("src/core/utils.cpp", "int a;\n", "the name says nothing"),
    ("src/core/a.cpp", "int a;  // TO" "DO later\n", "unfinished work needs its reason"),
    ("README.md", "Look into /" "work/main/build\n", "a path of one machine"),
])
def test_a_planted_violation_is_found(tmp_path, path, text, says):
    """One violation, one finding that names it."""
    for name in ("src/trace/b.h", "src/autograd/b.h", "inspector/model/b.h"):
        write(tmp_path, name, BANNER)
    write(tmp_path, path, text)
    code, out = check(tmp_path)
    assert code == 1
    assert says in out, out
    assert f"{path}:" in out


def test_a_long_test_of_several_functions_is_none(tmp_path):
    """Functions are counted one by one."""
    write(tmp_path, "src/core/a.cpp", "void f() {\n" + "  g();\n" * 40 + "}\nvoid h() {\n" + "  g();\n" * 40 + "}\n")
    code, out = check(tmp_path)
    assert code == 0, out
