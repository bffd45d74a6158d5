import pytest

import surety
from surety.process import program, words


def fake(folder, version):
    path = folder / "surety"
    path.write_text(f"#!/bin/sh\necho surety {version}\n")
    path.chmod(0o755)
    return path


def test_options_are_words_of_the_command_line():
    assert words({"time": 60, "no_certify": True, "unfair": False, "states": None, "K": 3}) == [
        "--define=K=3", "--time=60", "--no-certify"]
    assert words({"property": ["A", "B"], "actions": ["a", "b"]}) == ["--property=A", "--property=B", "--actions=a,b"]
    assert words({"define": {"n": 1}, "K": 2}) == ["--define=n=1", "--define=K=2"]


def test_an_unknown_option_is_an_error(channel):
    with pytest.raises(surety.Error, match="--colour-of-proof") as error:
        channel.check(colour_of_proof=3)
    assert error.value.status == 64


def test_an_unknown_constant_is_an_error(channel):
    with pytest.raises(surety.Error, match="LENGTH"):
        channel.check(LENGTH=3)


def test_the_variable_wins_over_the_path(tmp_path, monkeypatch):
    mine = fake(tmp_path, surety.__version__)
    monkeypatch.setenv("SURETY", str(mine))
    monkeypatch.setenv("PATH", "/nowhere")
    assert program() == str(mine)
    monkeypatch.delenv("SURETY")
    with pytest.raises(surety.Error, match="there is no program 'surety'"):
        program()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == str(mine)


def test_another_version_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("SURETY", str(fake(tmp_path, "0.0.1")))
    with pytest.raises(surety.Error, match="'surety 0.0.1', but this package belongs to surety"):
        program()


def test_a_mistake_in_a_text_has_its_place():
    with pytest.raises(surety.Error, match="mine.lts:2:") as error:
        surety.fsp("P = (a -> P).\nQ = (b -> -> Q).\n", "mine").check()
    assert error.value.errors[0]["line"] == 2
    assert error.value.status == 65


def test_a_program_that_dies_is_an_error(tmp_path, monkeypatch, channel):
    path = tmp_path / "surety"
    path.write_text(f"#!/bin/sh\n[ $1 = --version ] && echo surety {surety.__version__} || kill -9 $$\n")
    path.chmod(0o755)
    monkeypatch.setenv("SURETY", str(path))
    with pytest.raises(surety.Error, match="status -9"):
        channel.check()
    with pytest.raises(surety.Error, match="status -9"):
        list(channel.watch())
