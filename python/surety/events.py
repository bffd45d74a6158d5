"""What a run does while it does it."""

import json
import os
import subprocess
import tempfile

from .machine import Machine
from .process import answer, program, words

ACTIONS = ("added", "alphabet", "interface", "ours", "theirs", "trace", "word")  # members that are lists of actions


def watch(command, files, options):
    """Runs a command and yields its events. When the generator is closed, the command is ended."""
    line = [program(), command, "--json", *words(options)]
    reader, writer = os.pipe()
    line += [f"--events=/dev/fd/{writer}", "--", *map(str, files)]
    with open(reader, encoding="utf-8") as events, tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile("w+", encoding="utf-8") as told:
        try:
            process = subprocess.Popen(line, stdout=out, stderr=told, pass_fds=[writer])
        finally:
            os.close(writer)
        try:
            names = []
            for text in events:
                yield _named(json.loads(text), names)
            status = process.wait()
        finally:
            process.terminate()
            process.wait()
        out.seek(0)
        told.seek(0)
        answer(status, out.read(), told.read())  # raises what went wrong


def _named(event, names):
    """With the names of actions in place of their numbers; `names` is what is known of them."""
    kind = event["event"]
    if kind == "model":
        names[:] = event["actions"]
        for machine in event["components"] + event["properties"]:
            machine["alphabet"] = [names[a] for a in machine["alphabet"]]
    elif kind == "actions":
        names[event["from"]:] = event["names"]
    elif kind != "verdict":  # which has names
        for member in ACTIONS:
            if member in event:
                event[member] = [names[a] for a in event[member]]
        if "lts" in event:
            event["lts"] = _machine(event["lts"], names)
    return event


def _machine(lts, names):
    steps = [(here, names[action], there) for here, action, there in lts["steps"]] if "steps" in lts else None
    count = len(steps) if steps is not None else lts["transitions"]
    alphabet = [names[a] for a in lts.get("alphabet", [])]
    return Machine("conjecture", lts["states"], count, alphabet, steps, lts.get("error"), lts.get("end"))
