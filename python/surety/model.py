"""Models, and what can be asked of them."""

import functools
import json
import os
import tempfile
from pathlib import Path

from .events import watch
from .machine import Machine, table
from .process import Stopped, run
from .report import Certificate, Report


class Answer(dict):
    """The JSON of a command that says yes or no, and true or false like it."""

    def __init__(self, data, truth):
        super().__init__(data)
        self.truth = truth

    def __bool__(self):
        return self.truth


class Model:
    """Files with the options that they are read with. Nothing is read before something is asked."""

    def __init__(self, files, options, folder=None):
        self.files = files
        self.options = options
        self._folder = folder  # of a text: where it lies until the model is gone

    def using(self, **options):
        """The same files with other constants or options."""
        define = {**(self.options.get("define") or {}), **(options.pop("define", None) or {})}
        return Model(self.files, {**self.options, **options, **({"define": define} if define else {})}, self._folder)

    # --- What it is.

    @functools.cached_property
    def info(self):
        """The JSON of `surety info --lts`."""
        return run("info", self.files, {**self.options, "lts": True})[0]

    @property
    def system(self):
        """The name of the system: the last composite, or the one that the option `system` names."""
        wanted = self.options.get("system")
        return wanted if wanted in self.info["composites"] else next(reversed(self.info["composites"]), None)

    @functools.cached_property
    def _machines(self):
        return self.info["composites"].get(self.system, {"machines": []})["machines"]

    @property
    def components(self):
        """Machines by name, as the system has them."""
        return {m["name"]: Machine.of(m["name"], m) for m in self._machines if not m["property"]}

    @property
    def processes(self):
        """Machines by name, as the file defines them."""
        return {name: Machine.of(name, data) for name, data in self.info["processes"].items()}

    @property
    def properties(self):
        """Machines by name; None for a property that is not written as a machine."""
        there = {**self.processes, **{m["name"]: Machine.of(m["name"], m) for m in self._machines if m["property"]}}
        return {name: there.get(name) for name in self.info["properties"]}

    def __repr__(self):
        return f"<Model {', '.join(Path(file).name for file in self.files)}>"

    def _repr_html_(self):
        rows = [(name, m.states, m.transitions, len(m.alphabet)) for name, m in self.components.items()]
        return table([self.system or "component", "states", "transitions", "actions"], rows)

    # --- What is asked of it.

    def _asked(self, properties, options, folder):
        """All options of a question about these properties."""
        options = {**self.using(**options).options}
        named = options.get("property") or []
        named = [*([named] if isinstance(named, (str, os.PathLike, Machine)) else named), *properties]
        if named:
            options["property"] = [_file(each, folder) for each in named]
        if isinstance(options.get("split"), (list, tuple)):
            options["split"] = self._split(options["split"])
        return options

    def _split(self, sides):
        """Sides as the command line has them; a side that is None has all other components."""
        sides = [[side] if isinstance(side, str) else side for side in sides]
        named = {name for side in sides if side for name in side}
        rest = [name for name in self.components if name not in named] if None in sides else []
        return " | ".join(",".join(rest if side is None else side) for side in sides)

    def check(self, *properties, **options):
        """Verifies these properties, or all that the model declares."""
        folder = tempfile.TemporaryDirectory()
        path = Path(options.get("certificate") or Path(folder.name, "certificate.json"))
        asked = self._asked(properties, {**options, "certificate": path}, folder.name)
        old = _number(path)
        data, notes = run("check", self.files, asked)
        certificate = Certificate(path, (self, folder)) if _number(path) not in (None, old) else None
        return Report(data, notes, certificate)

    def watch(self, *properties, **options):
        """Events of a check as they come, with actions by name and machines as Machine. Leaving the loop cancels."""
        with tempfile.TemporaryDirectory() as folder:
            yield from watch("check", self.files, self._asked(properties, options, folder))

    def weakest(self, *properties, **options):
        """What an environment must keep so that nothing goes wrong: the weakest assumption, as a Machine."""
        return self._built("assume", properties, {"weakest": True, **options})

    def interface(self, *properties, **options):
        """The same, learned; `about["weakest"]` says whether it is known to be the weakest."""
        return self._built("assume", properties, {"interface": True, **options})

    def compose(self, *properties, **options):
        """The whole as one Machine; minimise="weak" and so on reduce it."""
        return self._built("compose", properties, options)

    def _built(self, command, properties, options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "out.json")
            asked = self._asked(properties, {**options, "output": path}, folder)
            data, told = run(command, self.files, asked)
            if not path.exists():
                raise Stopped(told.strip() or data.get("why") or "a limit ended it", status=2)
            return Machine.of(data["system"], json.loads(path.read_text("utf-8")), data)


def _number(path):
    """Of the file that is there now, or None; a new one of that name has another number."""
    return path.stat().st_ino if path.exists() else None


def _file(thing, folder):
    """The name of a file or property; a Machine is written to a file."""
    if not isinstance(thing, Machine):
        return os.fspath(thing)
    path = Path(tempfile.mkdtemp(dir=folder), thing.name.replace("/", "_") + ".json")  # names may be the same
    thing.save(path)
    return str(path)


def read(*files, **options):
    """A model from files; Machines are components like .aut files."""
    folder = tempfile.TemporaryDirectory()
    return Model([_file(file, folder.name) for file in files], options, folder)


def _text(ending, text, name, options):
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name, name + ending)
    path.write_text(text, "utf-8")
    return Model([str(path)], options, folder)


def fsp(text, name="model", **options):
    """A model from a text in FSP."""
    return _text(".lts", text, name, options)


def promela(text, name="model", **options):
    """A model from a text in Promela."""
    return _text(".pml", text, name, options)


def ada(text, name="model", **options):
    """A model from a text in Ada."""
    return _text(".adb", text, name, options)


def aut(*files, **options):
    """A model from Aldebaran files, the components of one system."""
    return read(*files, language="aut", **options)


def compare(first, second, **options):
    """Are two LTSs equivalent? Each is a file, FILE.lts:NAME, a Machine or a Model."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [_file(side.compose() if isinstance(side, Model) else side, folder) for side in (first, second)]
        data, told = run("compare", sides, options)
    if data.get("verdict") == "unknown":
        raise Stopped(told.strip() or data["why"], status=2)
    return Answer(data, data["equivalent"])


def certify(certificate, *files, **options):
    """Checks a certificate again with the independent checker; with files, only if it is about these."""
    data, _ = run("certify", [certificate, *files], options)
    return Answer(data, data["accepted"])
