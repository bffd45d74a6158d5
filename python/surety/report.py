"""What a check has found."""

import json
import os
from pathlib import Path

from .machine import Machine, table
from .trace import Trace

COST = ("states", "transitions", "max_states", "max_transitions", "queries", "conjectures", "time_s")


class Check:
    """One answer. `data` is the entry of the JSON report, with all its members."""

    def __init__(self, data):
        self.data = data
        self.kind = data["kind"]
        self.property = data.get("property")
        self.verdict = data["verdict"]
        self.method = data.get("method")
        self.split = data.get("split")
        self.why = data.get("why")
        self.certified = data.get("certified", False)
        self.trace = Trace(data) if "trace" in data else None
        self.assumptions = [Machine.of(f"assumption {i}", a, a) for i, a in enumerate(data.get("assumptions", []), 1)]
        self.cost = {name: data[name] for name in COST if name in data}

    @property
    def assumption(self):
        return self.assumptions[0] if self.assumptions else None

    def __bool__(self):
        return self.verdict == "holds"

    def __repr__(self):
        name = f" {self.property}" if self.property else ""
        return f"<Check {self.kind}{name}: {self.verdict}>"


class Certificate:
    """The proofs of a report as a file, which lives as long as the report does, or as long as you save it."""

    def __init__(self, path, model):
        self.path = path
        self.model = model  # keeps the files that it is about

    def save(self, path):
        """Writes it elsewhere. The names of files in it are relative to its folder, and follow."""
        data = json.loads(self.path.read_text("utf-8"))
        for entry in data["inputs"] + data.get("read", []):
            file = os.path.join(self.path.resolve().parent, entry["file"])
            entry["file"] = os.path.relpath(file, Path(path).resolve().parent)
        Path(path).write_text(json.dumps(data), "utf-8")

    def __fspath__(self):
        return str(self.path)

    __str__ = __fspath__


class Report(list):
    """The checks of a run. True if all of them hold; trace and assumption are the first that a check has."""

    def __init__(self, data, notes="", certificate=None):
        super().__init__(Check(entry) for entry in data["checks"])
        self.data = data
        self.verdict = data["verdict"]
        self.warnings = data.get("warnings", [])
        self.notes = notes  # what was told on standard error
        self.certificate = certificate  # None if nothing was proved

    @property
    def trace(self):
        return next((check.trace for check in self if check.trace is not None), None)

    @property
    def assumption(self):
        return next((check.assumption for check in self if check.assumption), None)

    @property
    def cost(self):
        """Summed over all checks; of the largest searches, the largest."""
        return {name: (max if name.startswith("max") else sum)([check.cost.get(name, 0) for check in self] or [0])
                for name in COST}

    def __bool__(self):
        return self.verdict == "holds"

    def __repr__(self):
        return f"<Report {self.verdict}: {list(self)}>"

    def _repr_html_(self):
        head = ["verdict", "kind", "property", "method", "states", "time"]
        return table(head, [(c.verdict, c.kind, c.property or "", c.method or "", c.cost.get("states", ""),
                             f"{c.cost.get('time_s', 0):.3f} s") for c in self])
