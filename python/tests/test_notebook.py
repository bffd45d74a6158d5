"""The notebook of the documents is run at a release: `./dev notebook`. Jupyter is too much for every day."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif("SURETY_NOTEBOOK" not in os.environ, reason="./dev notebook runs it")
def test_the_notebook_runs(tmp_path):
    subprocess.run(["/usr/bin/jupyter-nbconvert", "--execute", "--to=html", f"--output-dir={tmp_path}",
                    str(ROOT / "doc/notebook.ipynb")], check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    page = (tmp_path / "notebook.html").read_text("utf-8")
    assert page.count("<svg") == 3  # a component, a trace, an assumption
    assert "Traceback" not in page
