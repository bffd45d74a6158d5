"""Tables 3 to 8 of LEARN (Cobleigh, Giannakopoulou, Pasareanu, journal version) on our rover.

Three settings: the rover with its fault, the corrected one, and the corrected one with the analyst's assumption A1 that the
executive touches the note only under the mutex (section 7.1). For each, a table of the conjectures of the learner, and one
that compares approaches. M1 is the checker of conditions, M2 the executive, the alphabet the whole interface, the
learner L* with Rivest and Schapire's counterexamples, as there.
"""

from runner import ROOT, Store, description, memory, number, table, temporary

M1 = ["CONDITION(1)", "CONDITION(2)", "MONITOR", "CHECKER", "MUTEX", "WAKEUP"]
M2 = ["EXECUTIVE", "ACTION"]
PROPERTY = "CLEARED_FIRST"
ANALYST = "EXECUTIVE_LOCKS"  # A1, as a property in the file; as a process in front of the weakest assumption of M1 || A1:
ANALYST_PROCESS = """
ANALYST = (exec.lock -> HELD),
HELD = ({exec.read[NOTE], exec.assign[NOTE]} -> HELD | exec.unlock -> ANALYST).
"""

# The paper's numbers. Conjectures: iteration, oracle, |A|, states, transitions, result.
# Comparison: approach: |A|, most states, most transitions, seconds.
STRONG, WEAK, PASSED = "too strong", "too weak", "not too weak"
SETTINGS = {
    "the rover with its fault": {
        "tables": (3, 4),
        "file": "rover_broken",
        "conjectures": [(1, 1, 1, 294, 1548, PASSED), (1, 2, 1, 16, 93, STRONG), (2, 1, 2, 269, 1560, WEAK),
                        (3, 1, 3, 541, 3066, WEAK), (4, 1, 5, 12, 69, WEAK), (5, 1, 6, 474, 2706, PASSED),
                        (5, 2, 6, 32, 197, "violated")],
        "comparison": {"monolithic": (None, 3630, 34653, 0.677), "generate and discharge": (6, 588, 4272, 101.574),
                       "learning": (6, 541, 3066, 6.696)},
    },
    "the corrected rover": {
        "tables": (5, 6),
        "file": "rover",
        "conjectures": [(1, 1, 1, 294, 1548, PASSED), (1, 2, 1, 15, 90, STRONG), (2, 1, 2, 269, 1560, WEAK),
                        (3, 1, 3, 541, 3066, WEAK), (4, 1, 5, 12, 69, WEAK), (5, 1, 6, 474, 2706, PASSED),
                        (5, 2, 6, 105, 653, "holds")],
        "comparison": {"monolithic": (None, 4672, 44464, 0.574), "generate and discharge": (6, 588, 4272, 100.034),
                       "learning": (6, 541, 3066, 6.044)},
    },
    "the corrected rover with an additional assumption": {
        "tables": (7, 8),
        "file": "rover",
        "conjectures": [(1, 1, 1, 5, 24, WEAK), (2, 1, 2, 268, 1408, WEAK), (3, 1, 3, 235, 1209, WEAK),
                        (4, 1, 5, 464, 2500, PASSED), (4, 2, 5, 97, 609, "holds")],
        "comparison": {"monolithic": (None, 4672, 44464, 0.677), "generate and discharge": (6, 544, 3082, 19.139),
                       "learning": (5, 464, 2500, 4.575), "discharge of the additional assumption": (2, 41, 252, 0.332)},
    },
}


def with_analyst(file):
    """The file with A1 as a component beside M1, and with M2 alone under A1."""
    parts = M1 + M2
    return temporary(file.read_text() + ANALYST_PROCESS + f"||WITH = ({' || '.join([*parts, 'ANALYST', PROPERTY])}).\n"
                     f"||ALONE = ({' || '.join([*M2, ANALYST])}).\n")


def measure(surety, setting, approach):
    file = ROOT / "examples/rover" / (setting["file"] + ".lts")
    supplied = "discharge of the additional assumption" in setting["comparison"]
    learning = ["--property", PROPERTY, "--method", "asym", "--alphabet", "full", "--split", f"{','.join(M1)} | {','.join(M2)}"]
    if approach == "monolithic":
        return surety.check(file, "--property", PROPERTY)
    if approach == "learning":
        return surety.check(file, *learning, *(["--assumption", f"{file}:{ANALYST}"] if supplied else []))
    with with_analyst(file) as copy:
        if approach != "generate and discharge":
            return surety.check(copy.name, "--system", "ALONE", "--property", ANALYST)
        m1 = M1 + ["ANALYST"] if supplied else M1
        return surety.check(copy.name, "--system", "WITH" if supplied else "SYSTEM", "--property", PROPERTY, "--method", "weakest",
                            "--split", f"{','.join(m1)} | {','.join(M2)}")


def make(surety, folder, head, quick, say):
    store = Store(folder / "learn.json", head | {"papers": SETTINGS})
    for name, setting in SETTINGS.items():
        for approach in setting["comparison"]:
            run = store.get(f"{name}, {approach}", lambda: measure(surety, setting, approach))
            say(f"{name}, {approach}: {run['verdict']}, {run['cpu_s']} s, {run['memory_mb']} MB")
    store.save()
    (folder / "learn.md").write_text(report(store.data))


# --- The report.

def our_conjectures(run):
    """As the paper has them: a line an oracle. Of an oracle 1 that let a conjecture pass we have no size of its own."""
    lines, i = [], 0
    last = max(line["assumption"] for line in run["iterations"])
    for line in run["iterations"]:
        name = "A1" if line["assumption"] < last else None  # what was supplied is no conjecture
        i += name is None
        if line["oracle"] == 2 and name is None:
            lines.append((f"{i} - oracle 1", line["size"], None, None, PASSED))
        lines.append((f"{name or i} - oracle {line['oracle']}", line["size"], line["states"], line["transitions"], line["result"]))
    return lines


def conjectures(setting, run):
    theirs = [(f"{i} - oracle {oracle}", *rest) for i, oracle, *rest in setting["conjectures"]]
    ours = our_conjectures(run)
    rows = []
    for i in range(max(len(theirs), len(ours))):
        row = []
        for lines in (theirs, ours):
            name, size, states, transitions, result = lines[i] if i < len(lines) else ("", None, None, None, "")
            row += [name, number(size), number(states), number(transitions), result]
        rows.append(row)
    side = ["A", "states", "transitions", "result"]
    return table(["paper: iteration", *side, "ours: iteration", *side], rows)


def size_of_assumption(approach, run):
    if approach == "monolithic":
        return "–"
    if approach.startswith("discharge"):
        return "2"  # the property EXECUTIVE_LOCKS
    return number(run["iterations"][-1]["size"])


def comparison(data, name, setting):
    rows = []
    for approach, (size, states, transitions, seconds) in setting["comparison"].items():
        run = data["runs"][f"{name}, {approach}"]
        rows.append([approach, number(size) or "–", number(states), number(transitions), f"{seconds:.3f}",
                     size_of_assumption(approach, run), number(run["max_states"]), number(run["max_transitions"]),
                     f"{run['cpu_s']:.3f}", memory(run), run["verdict"]])
    side = ["A", "max. states", "max. transitions", "time (s)"]
    return table(["approach", *[f"paper: {x}" for x in side], *[f"ours: {x}" for x in side], "ours: MB", "ours: verdict"], rows)


def report(data):
    text = ["# LEARN, tables 3 to 8: the rover\n", __doc__.split("\n\n", 1)[1], description(data),
            "These are not the same runs: the paper's design models are not public, and ours (`examples/rover`) was written from "
            "its description. Whole system, corrected: 4,672 states there, 816 here; M1 ∥ P 588 there, 396 here; the "
            "executive 41 there, 8 here. The interface is the same six actions, the verdicts are the same.\n",
            "`A` is the number of states of the assumption, without the error state. The paper lists each oracle; where ours shows no "
            "size, oracle 1 let the conjecture pass and only the deciding oracle's search was reported. Time is CPU time of the "
            "whole process, start and reading the file included; the paper's is from a G4 at 867 MHz.\n"]
    for name, setting in SETTINGS.items():
        first, second = setting["tables"]
        text += [f"## Tables {first} and {second}: {name}\n", conjectures(setting, data["runs"][f"{name}, learning"]),
                 comparison(data, name, setting)]
    return "\n".join(text)
