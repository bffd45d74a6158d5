"""The program as a process: where it is, what its command line is, how it says that something is wrong."""

import functools
import json
import os
import shutil
import subprocess

from .version import __version__

REPEATED = ("define", "overlay", "property", "seed_assumption")


class Error(Exception):
    """The program refused: the text is what it says to people, `errors` the same as JSON, `status` its exit status."""

    def __init__(self, text, errors=(), status=None):
        super().__init__(text)
        self.errors = list(errors)
        self.status = status


class Stopped(Error):
    """A limit ended it before there was an answer."""


def program():
    """The path of surety: SURETY, or the one in PATH. Another version than the package's is an error."""
    name = os.environ.get("SURETY") or "surety"
    path = shutil.which(name)
    if path is None:
        raise Error(f"there is no program '{name}': install surety, or set SURETY to its path")
    return _compared(path)


@functools.lru_cache(maxsize=None)
def _compared(path):
    said = subprocess.run([path, "--version"], capture_output=True, encoding="utf-8").stdout.strip()
    if said != f"surety {__version__}":
        raise Error(f"{path} is '{said}', but this package belongs to surety {__version__}")
    return path


def words(options):
    """Options as words of the command line: time=60 is --time=60, K=3 is --define=K=3."""
    options = dict(options)
    constants = {name: options.pop(name) for name in list(options) if name[0].isupper()}
    constants = {**(options.pop("define", None) or {}), **constants}
    out = [f"--define={name}={value}" for name, value in constants.items()]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        several = isinstance(value, (list, tuple, range))
        if value is True:
            out.append(option)
        elif name in REPEATED and several:
            out += [f"{option}={each}" for each in value]
        elif value is not None and value is not False:
            out.append(f"{option}={','.join(map(str, value)) if several else value}")
    return out


def answer(status, out, told):
    """What a command has printed with --json, or the error that it is."""
    try:
        data = json.loads(out)
    except ValueError:
        raise Error(told.strip() or f"surety ended with status {status}", status=status) from None
    if "errors" in data:
        kind = Stopped if data.get("verdict") == "unknown" else Error
        raise kind(told.strip() or data["errors"][0]["message"], data["errors"], status)
    return data


def run(command, files, options):
    """Runs a command to its end. Returns its JSON, and what it told on standard error."""
    line = [program(), command, "--json", *words(options), "--", *map(str, files)]
    done = subprocess.run(line, capture_output=True, encoding="utf-8")
    return answer(done.returncode, done.stdout, done.stderr), done.stderr
