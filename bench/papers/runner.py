"""Runs surety under limits, and remembers what came out.

Every run is a process of its own. The limits go to surety (--time, --memory) and are enforced from outside as well: a run
that goes on 10 seconds or a tenth of the memory beyond its limit is ended. Time is by the clock for the limit, unless a
limit of CPU time is asked for (then the kernel ends the run); the CPU time is measured beside it. Memory is the peak of the resident size, from wait4; a process that is started from Python never
shows less than Python itself had then, so each run says how low it can be (floor_mb).

Results go into a JSON file after every run, so that a run that is broken off goes on where it was.
"""

import contextlib
import json
import os
import platform
import resource
import signal
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {"papers": (1800, 1000), "minute": (60, 1000)}  # seconds, MB


class Surety:
    def __init__(self, binary, limit=None, seconds=None, megabytes=None, cpu_seconds=None):
        self.binary = str(binary)
        self.limit = limit
        self.seconds, self.megabytes = LIMITS[limit] if limit else (seconds, megabytes)
        self.cpu_seconds = cpu_seconds  # where other work would spoil a limit by the clock

    def run(self, *arguments):
        """One process: its JSON (None if it printed none) and what it used."""
        with tempfile.TemporaryFile() as out, open(os.devnull, "wb") as nowhere:
            begin = time.monotonic()
            pid = os.posix_spawn(self.binary, [self.binary, *map(str, arguments), "--json", "--quiet"], os.environ,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1),
                                               (os.POSIX_SPAWN_DUP2, nowhere.fileno(), 2)])
            if self.cpu_seconds:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    resource.prlimit(pid, resource.RLIMIT_CPU, (self.cpu_seconds, self.cpu_seconds))
            status, usage, killed = self._wait(pid, begin)
            out.seek(0)
            text = out.read().decode()
        used = {
            "cpu_s": round(usage.ru_utime + usage.ru_stime, 3),
            "wall_s": round(time.monotonic() - begin, 3),
            "memory_mb": round(usage.ru_maxrss / 1000, 1),
            "floor_mb": round(_own_peak() / 1000, 1),
            "exit": os.waitstatus_to_exitcode(status),
        }
        if self.cpu_seconds and used["exit"] in (-signal.SIGXCPU, -signal.SIGKILL) and not killed:
            killed = "time"
        if killed:
            used["killed"] = killed
        try:
            return json.loads(text), used
        except ValueError:
            return None, used

    def _wait(self, pid, begin):
        killed = None
        pause = 0.0005
        while True:
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if done:
                return status, usage, killed
            if not killed and time.monotonic() - begin > self.seconds + 10:
                killed = "time"
            if not killed and _resident(pid) > self.megabytes * 1.1e6:
                killed = "memory"
            if killed:
                os.kill(pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(0.05, pause * 1.5)

    def check(self, file, *arguments):
        """One check of one property, flat: the verdict, sizes, iterations and what the run used."""
        report, used = self.run("check", file, "--time", f"{self.seconds}s", "--memory", self.megabytes * 10**6,
                                "--threads", 1, "--no-certify", *arguments)
        out = {"verdict": "unknown", "why": used.get("killed", "no answer"), "iterations": []}
        if report and report.get("checks"):
            check = report["checks"][0]
            out = {key: check[key] for key in ("verdict", "why", "split", "states", "transitions", "max_states",
                                               "max_transitions", "queries", "conjectures") if key in check}
            out["iterations"] = [{key: line[key] for key in ("assumption", "size", "oracle", "states", "transitions",
                                                             "result")} for line in check.get("iterations", [])]
            out["final"] = [{"states": a["states"], "letters": len(a["alphabet"])} for a in check.get("assumptions", [])]
        if report and "spin" in report:
            out["spin"] = report["spin"]
        if used["memory_mb"] > self.megabytes * 1.1:
            out["verdict"], out["why"] = "unknown", "memory"
        return out | used

    def assume(self, file, *arguments):
        """An interface, learned without an environment, flat; the verdict says what is known of it."""
        report, used = self.run("assume", file, "--interface", "--time", f"{self.seconds}s", "--memory",
                                self.megabytes * 10**6, "--threads", 1, *arguments)
        out = {"verdict": "unknown", "why": used.get("killed", "no answer")}
        if report:
            out = {key: report[key] for key in ("why", "max_states", "max_transitions", "queries", "conjectures", "spin")
                   if key in report}
            out["verdict"] = report.get("verdict", "weakest" if report["weakest"] else "sound")
            out["second_oracle"] = sum(line["oracle"] == 2 for line in report["iterations"])
            out["final"] = [{"states": a["states"], "letters": len(a["alphabet"])} for a in [report.get("assumption")] if a]
        return out | used

    def states(self, file, defines, composite, most):
        """The states of a composite without the error state; None: more than `most`."""
        report, _ = self.run("compose", file, "--system", composite, "--states", most,
                             *[word for define in defines for word in ("--define", define)])
        assert report, f"{file}: cannot compose {composite}"
        return report.get("states")


def _own_peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _resident(pid):
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0  # it has just ended


def with_composites(file, composites):
    """A copy of an FSP file with further composites, {name: [parts]}, as a temporary file."""
    text = Path(file).read_text()
    for name, parts in composites.items():
        text += f"\n||{name} = ({' || '.join(parts)}).\n"
    return temporary(text)


def temporary(text):
    out = tempfile.NamedTemporaryFile("w", suffix=".lts")
    out.write(text)
    out.flush()
    return out


def machine(note):
    """Cores and memory; no names."""
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    out = {"cores": os.cpu_count(), "processor": model, "memory_gb": round(memory / 1e9)}
    return out | ({"note": note} if note else {})


class Store:
    """What is known so far, in a file."""

    def __init__(self, file, head):
        self.file = Path(file)
        self.data = json.loads(self.file.read_text()) if self.file.exists() else {}
        if self.data.get("limit") not in (None, head["limit"]):
            raise SystemExit(f"{self.file.name} was made with the limits '{self.data['limit']}': take another --out")
        self.data = self.data | head
        self.data.setdefault("runs", {})
        self.lock = threading.Lock()

    def get(self, key, make):
        if key not in self.data["runs"]:
            made = make()
            with self.lock:
                self.data["runs"][key] = made
                self.save()
        return self.data["runs"][key]

    def save(self):
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.data, indent=1) + "\n")
        new.replace(self.file)


# --- Markdown.

def number(n):
    return "" if n is None else f"{n:,}"


def memory(run):
    """The peak in MB; at the floor all that is known is that it was not more."""
    return f"≤ {run['memory_mb']:.0f}" if run["memory_mb"] <= run["floor_mb"] else f"{run['memory_mb']:.0f}"


def description(data):
    m = data["machine"]
    return (f"Ours: {data['seconds']} s by the clock and {data['megabytes']:,} MB a run, one thread, proofs not checked again. Machine: "
            f"{m['cores']} cores ({m['processor']}), {m['memory_gb']} GB of memory{'; ' + m['note'] if 'note' in m else ''}.\n")


def table(head, rows):
    """`head` and each row are lists of texts; the first column is flush left."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
