"""Tables 1 and 2 of SPIN (Pasareanu, Giannakopoulou: Towards a compositional SPIN) on our Promela models.

Table 1: SPIN on the whole system against the largest of the triples that learning asks of it. Table 2: what finding the
assumptions costs if SPIN answers, in the paper's two ways, and if our own engine does. Users come first and the
arbiter or server last, as there; the rule is asym-n, what the paper calls recursive. The paper's heuristic, A1, is the
interface of the first user over the property's actions, learned without an environment (`assume --interface`). All times
are CPU seconds, those of the programs that are called included. The cache of compiled verifiers starts empty in every run.
"""

import os
import re
import resource
import subprocess
import tempfile

from runner import ROOT, Store, Surety, description, number, table

CONFIGURATIONS = [("client_server", 2, "MUTEX", "Client", "Server"), ("client_server", 3, "MUTEX", "Client", "Server"),
                  ("mer", 2, "COMM_OR_DRIVE", "User", "Arbiter"), ("mer", 3, "COMM_OR_DRIVE", "User", "Arbiter"),
                  ("mer", 4, "COMM_OR_DRIVE", "User", "Arbiter"), ("mer", 5, "COMM_OR_DRIVE", "User", "Arbiter")]
WATCHED = {"client_server": ("grant", "cancel"), "mer": ("grant.1", "grant.2", "cancel.1", "cancel.2")}  # by the property
WAYS = {"native": [], "separate": ["--engine", "spin"], "per-query": ["--engine", "spin", "--spin-mode", "per-query"]}
PAPER = {
    "monolithic": {"mb": 544.019, "states": 3916530, "seconds": "0.02 + 0.85 + 33.7"},
    "premises": {"mb": 2.622, "states": 1002, "seconds": "0.04 + 1.14 + 0.03", "sizes": "12, 12, 12, 6, 6"},
    "learning": {"queries": 4884, "oracle 1": 48, "per-query": 5646.365, "native": 42.87},
    "interface": {"mb": 2.622, "states": 2941, "size": 12, "queries": 852, "oracle 1": 12, "per-query": 818.213,
                  "separate": 185.185, "native": 3.076},
}


def file_of(system):
    return ROOT / "examples" / system / f"{system}.pml"


def timed(words, folder, seconds, megabytes):
    """CPU seconds and output of a program under the limits."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        run = subprocess.run(["prlimit", f"--as={megabytes * 10**6}", *words], cwd=folder, capture_output=True, text=True,
                             timeout=seconds)
        output = run.stdout + run.stderr
    except subprocess.TimeoutExpired:
        output = "time"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3), output


def monolithic(system, k, surety, compiled=("-DSAFETY",), depths=(10**4, 10**5, 10**6, 10**7)):
    """The user's own file by SPIN alone, its first trace, with partial order reduction as SPIN has it by default."""
    with tempfile.TemporaryDirectory() as folder:
        model, _ = timed(["spin", f"-DK={k}", "-a", str(file_of(system))], folder, surety.seconds, surety.megabytes)
        compile_s, _ = timed(["cc", "-w", "-O2", *compiled, "-o", "pan", "pan.c"], folder, surety.seconds, surety.megabytes)
        for depth in depths:
            run, output = timed(["./pan", "-E", "-n", f"-m{depth}", "-w12"], folder, surety.seconds, surety.megabytes)
            if "search depth too small" not in output:
                break
    out = {"model_s": model, "cc_s": compile_s, "run_s": run}
    found = re.search(r"errors: (\d+)", output)
    if not found or "out of memory" in output or "search depth too small" in output:
        return out | {"verdict": "unknown", "why": "time" if output == "time" else "memory"}
    states = float(re.search(r"([0-9.e+]+) states, stored", output)[1])
    megabytes = float(re.search(r"([0-9.]+)\s+total actual memory", output)[1])
    return out | {"verdict": "holds" if found[1] == "0" else "violated", "states": round(states), "mb": megabytes}


def patient(system, way, surety):
    """SPIN has longer, so that some finish."""
    out = Surety(surety.binary, surety.limit)
    if way == "separate" or (way == "per-query" and system == "client_server"):
        out.seconds *= 3
    return out


def interface(system, k, claim, user, way, surety):
    actions = ",".join(f"{operation}.{i}" for operation in WATCHED[system] for i in range(1, k + 1))
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        return patient(system, way, surety).assume(file_of(system), "--define", f"K={k}", "--property", claim, "--system",
                                                   f"{user}(1)", "--actions", actions, *WAYS[way])


def learning(system, k, claim, user, last, way, surety):
    split = " | ".join([f"{user}({i})" for i in range(1, k + 1)] + [last])
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        return patient(system, way, surety).check(file_of(system), "--define", f"K={k}", "--property", claim, "--method",
                                                  "asym-n", "--split", split, *WAYS[way])


def make(surety, folder, head, quick, say):
    store = Store(folder / "spin.json", head | {"papers": PAPER})
    for system, k, claim, user, last in CONFIGURATIONS[: 1 if quick else None]:
        run = store.get(f"{system} {k}, monolithic", lambda: monolithic(system, k, surety))
        say(f"{system} {k}, monolithic: {run['verdict']}, {run['run_s']} s")
        for way in WAYS:
            run = store.get(f"{system} {k}, {way}", lambda: learning(system, k, claim, user, last, way, surety))
            say(f"{system} {k}, {way}: {run['verdict']}, {run['cpu_s']} s")
            run = store.get(f"{system} {k}, interface, {way}", lambda: interface(system, k, claim, user, way, surety))
            say(f"{system} {k}, interface, {way}: {run['verdict']}, {run['cpu_s']} s")
    store.save()
    (folder / "spin.md").write_text(report(store.data))


# --- The report.

def seconds(s):
    return f"{s:,.0f}" if s >= 100 else f"{s:.2f}"


def estimated(run, runs):
    """CPU seconds; of a run that did not finish, what it used a question, times all questions of one that did."""
    if run["verdict"] != "unknown":
        return run["cpu_s"], ""
    if not runs or not run.get("spin", {}).get("runs"):
        return None, ""
    return run["cpu_s"] / run["spin"]["runs"] * runs, "≈ "


def largest(run):
    """Of a run with SPIN: its largest triple, and the sizes of its assumptions."""
    finished = run["verdict"] != "unknown"
    least = "" if finished else "≥ "
    return [f"{least}{run['spin']['largest_bytes'] / 2**20:.1f}", least + number(run["max_states"]),
            ", ".join(str(a["states"]) for a in run["final"]) if finished else "not finished"]


def first_table(data):
    p = PAPER["interface"]
    rows = [["paper: MER, 5 users", f"{PAPER['monolithic']['mb']:.0f}", number(PAPER["monolithic"]["states"]),
             PAPER["monolithic"]["seconds"], f"{PAPER['premises']['mb']:.1f}", number(PAPER["premises"]["states"]),
             PAPER["premises"]["sizes"]],
            ["the same, A1", "", "", "", f"{p['mb']:.1f}", number(p["states"]), str(p["size"])]]
    for system, k, *_ in CONFIGURATIONS:
        whole, parts, alone = (data["runs"].get(f"{system} {k}, {way}") for way in
                               ("monolithic", "separate", "interface, separate"))
        if not whole or not parts or not alone:
            continue
        done = whole["verdict"] != "unknown"
        rows.append([f"{system}, {k}", f"{whole['mb']:.1f}" if done else whole["why"], number(whole.get("states")),
                     f"{whole['model_s']:.2f} + {whole['cc_s']:.2f} + {whole['run_s']:.2f}", *largest(parts)])
        rows.append([f"{system}, {k}, A1", "", "", "", *largest(alone)])
    return table(["", "whole: MB", "states", "model + compile + run, s", "largest triple: MB", "states", "sizes of assumptions"], rows)


def of_paper(name, p):
    slow, fast = p["per-query"], p.get("separate")
    return [name, number(p["queries"]), number(p["oracle 1"]), seconds(slow), seconds(fast) if fast else "",
            f"{slow / fast:.0f}" if fast else "", seconds(p["native"]), f"{slow / p['native']:,.0f}",
            f"{fast / p['native']:,.0f}" if fast else ""]


def cost(name, runs):
    asked = runs["separate"]["spin"]["runs"]
    if runs["separate"]["verdict"] == "unknown":  # then by the number of queries
        asked = runs["native"]["queries"]
    slow, about = estimated(runs["per-query"], asked)
    fast, about_fast = estimated(runs["separate"], asked)
    native = runs["native"]["cpu_s"]
    return [name, number(runs["native"]["queries"]), number(runs["native"]["conjectures"]), about + seconds(slow),
            about_fast + seconds(fast), f"{slow / fast:.0f}", seconds(native), f"{slow / native:,.0f}", f"{fast / native:,.0f}"]


def second_table(data):
    rows = [of_paper("paper: MER, 5 users", PAPER["learning"]), of_paper("the same, A1", PAPER["interface"])]
    for system, k, *_ in CONFIGURATIONS:
        for name, prefix in (("", ""), (", A1", "interface, ")):
            runs = {way: data["runs"].get(f"{system} {k}, {prefix}{way}") for way in WAYS}
            if all(runs.values()):
                rows.append(cost(f"{system}, {k}{name}", runs))
    return table(["", "queries", "conjectures", "a file per query, s", "compiled once, s", "times faster", "native, s",
                  "faster than a file per query", "than compiled once"], rows)


def report(data):
    return (f"# SPIN, tables 1 and 2\n\n{__doc__.split(chr(10), 2)[2]}\n{description(data)}"
            "What is compiled once had three times as long, and so had a file per query on client_server.\n\n"
            f"## Table 1: the whole, and by parts\n\n{first_table(data)}\n"
            "The whole is SPIN on the example's own file with its partial order reduction; triples are searched without it, and\n"
            "their memory is mostly SPIN's stack and tables. Our MER is written from the paper's description and is not the same\n"
            "model; the paper's ran with 5 resources, and so does this.\n\n"
            f"## Table 2: the cost of finding the assumptions\n\n{second_table(data)}\n"
            "≈: not finished within the limit; CPU time a question times the number of questions.\n")
