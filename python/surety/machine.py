"""Labelled transition systems as plain objects, and their pictures."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .process import Error, program

MOST_DRAWN = 100  # states; larger pictures cannot be read
STYLE = ["-Gbgcolor=white", "-Gfontname=Helvetica", "-Nfontname=Helvetica", "-Nfontsize=11",
         "-Nmargin=0.04", "-Efontname=Helvetica", "-Efontsize=11", "-Earrowsize=0.7"]


@dataclass
class Machine:
    """States are 0 to states - 1, that of an error included; the first one is 0. Steps are (from, action, to)."""

    name: str
    states: int
    transitions: int
    alphabet: list = field(repr=False)
    known_steps: list = field(default=None, repr=False)  # None: too many to be told
    error: int = field(default=None, repr=False)
    end: int = field(default=None, repr=False)
    about: dict = field(default_factory=dict, repr=False)  # what else the program says of it

    @classmethod
    def of(cls, name, data, about=None):
        """From the JSON of an LTS, or from a summary that may have one in `lts`."""
        lts = data.get("lts", data)
        steps = [tuple(step) for step in lts["steps"]] if "steps" in lts else None
        count = len(steps) if steps is not None else data["transitions"]
        return cls(name, lts["states"], count, lts["alphabet"], steps, lts.get("error"), lts.get("end"), about or {})

    @property
    def steps(self):
        if self.known_steps is None:
            raise Error(f"{self.name} has {self.transitions} steps, which are not listed; compose() has all of them")
        return self.known_steps

    def save(self, path):
        """Writes it as a .json file, which every command reads like an .aut file."""
        Path(path).write_text(json.dumps({
            "schema": 1, "states": self.states, "initial": 0, "error": self.error, "end": self.end,
            "alphabet": self.alphabet, "steps": self.steps}), "utf-8")

    def dot(self):
        """The text of a picture for Graphviz."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "machine.json")
            self.save(path)
            line = [program(), "compose", "--quiet", "--format=dot", "--output=-", str(path)]
            done = subprocess.run(line, capture_output=True, encoding="utf-8")
        if done.returncode != 0:
            raise Error(done.stderr.strip(), status=done.returncode)
        return done.stdout

    def _drawn(self):
        return self.known_steps is not None and self.states <= MOST_DRAWN and shutil.which("dot") is not None

    def _repr_svg_(self):
        if not self._drawn():
            return None
        line = ["dot", "-Tsvg", *STYLE]
        svg = subprocess.run(line, input=self.dot(), capture_output=True, encoding="utf-8", check=True).stdout
        return without_control(svg[svg.index("<svg"):])  # notebooks want no declaration before it

    def _repr_html_(self):
        """A table, where there is no picture."""
        if self._drawn():
            return None
        rows = [("states", self.states), ("transitions", self.transitions), ("alphabet", ", ".join(self.alphabet))]
        return table([self.name, ""], rows)


def without_control(text):
    """Characters that XML cannot have are written as \\x1B."""
    return re.sub("[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]",
                  lambda found: rf"\x{ord(found[0]):02X}", text)


def table(head, rows):
    """Rows of a notebook."""
    def line(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
    return "<table>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"
