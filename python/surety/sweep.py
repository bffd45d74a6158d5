"""One model checked with every combination of constants and options."""

import csv
import itertools

from .machine import table
from .report import COST


class Sweep(list):
    """Rows, one per check of each combination: dictionaries with the same members."""

    def to_csv(self, path):
        with open(path, "w", newline="") as file:
            rows = csv.DictWriter(file, list(self[0]) if self else [])
            rows.writeheader()
            rows.writerows(self)

    def _repr_html_(self):
        return table(list(self[0]), [row.values() for row in self]) if self else "<p>no rows</p>"


def sweep(model, *properties, **axes):
    """Checks with every combination of the values: K=range(2, 9), method=["auto", "monolithic"]. What is no list or
    range has one value."""
    values = {name: list(v) if isinstance(v, (list, tuple, range)) else [v] for name, v in axes.items()}
    out = Sweep()
    for combination in itertools.product(*values.values()):
        asked = dict(zip(values, combination))
        for check in model.check(*properties, **asked):
            answer = {"kind": check.kind, "property": check.property or "", "verdict": check.verdict,
                      "answered_by": check.method or ""}
            out.append({**asked, **answer, **{name: check.cost.get(name, "") for name in COST}})
    return out
