import json
import re
from pathlib import Path

import surety

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_is_that_of_the_project():
    text = (ROOT / "CMakeLists.txt").read_text()
    assert re.search(r"project\(surety VERSION (\S+)", text)[1] == surety.__version__


def test_the_page_and_the_extension_of_vscode_have_the_same_version():
    for folder in ("web", "editors/vscode"):
        for name in ("package.json", "package-lock.json"):
            assert json.loads((ROOT / folder / name).read_text())["version"] == surety.__version__


def test_everything_public_is_in_the_manual():
    manual = (ROOT / "doc/manual.md").read_text("utf-8")
    section = manual.split("\n## Python\n")[1].split("\n## ")[0]
    names = [name for name in vars(surety.Model) if not name.startswith("_")]
    names += "read fsp promela ada aut compare certify sweep to_csv Error Stopped save".split()
    assert [name for name in names if not re.search(rf"\b{name}\b", section)] == []
