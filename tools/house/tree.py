"""The files of the tree as the rules see them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

CODE = {".h", ".cpp", ".c", ".cuh", ".cu", ".py"}
TEXT = CODE | {".md", ".txt", ".cmake", ".sh", ".toml", ".yml", ".yaml", ".json", ".fbs", ""}


@dataclass(order=True)
class Finding:
    path: str
    line: int
    text: str


@dataclass
class Source:
    path: str
    lines: list[str] = field(default_factory=list)

    @property
    def suffix(self) -> str:
        return Path(self.path).suffix


class Tree:
    """Tracked and new files that git does not ignore; every file where there is no git."""

    def __init__(self, root: Path):
        self.root = root
        self.paths = self._paths()
        self.texts = [self._read(p) for p in self.paths if Path(p).suffix in TEXT and not p.startswith("samples/")]
        self.texts = [source for source in self.texts if source is not None]
        self.sources = [source for source in self.texts if source.suffix in CODE]

    def _paths(self) -> list[str]:
        command = ["git", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 and (self.root / ".git").exists():
            names = done.stdout.splitlines()
        else:
            names = [str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.is_file()]
        return sorted(name for name in names if (self.root / name).is_file())

    def _read(self, path: str) -> Source | None:
        try:
            return Source(path, (self.root / path).read_text(encoding="utf-8").splitlines())
        except UnicodeDecodeError:
            return None
