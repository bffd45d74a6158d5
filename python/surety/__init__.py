"""surety proves concurrent systems by their parts. This package runs the program and reads its JSON.

    import surety as s
    gas = s.read("gas_station.lts", K=3)
    report = gas.check("CHANGE", method="asym", time=60)
    report.verdict, report.trace, report.assumption, report.cost

Options are those of the command line with underscores. A keyword that begins with a capital letter is a constant of the
model; `define={"n": 3}` has those that do not.
"""

from .machine import Machine
from .magic import load_ipython_extension
from .model import Answer, Model, ada, aut, certify, compare, fsp, promela, read
from .process import Error, Stopped
from .report import Certificate, Check, Report
from .sweep import Sweep, sweep
from .trace import Trace
from .version import __version__
