import pytest

import surety


class Shell:
    """What the extension needs of a notebook's shell."""

    def __init__(self):
        self.user_ns = {}
        surety.load_ipython_extension(self)

    def register_magic_function(self, function, kind, name):
        assert (kind, name) == ("cell", "fsp")
        self.fsp = function


def test_a_cell_becomes_a_variable():
    shell = Shell()
    shell.fsp("LAMP N=3", "const N = 1\nP = P[0], P[i:0..N] = (when (i < N) on -> P[i+1] | when (i == N) off -> P[0]).\n")
    assert shell.user_ns["LAMP"].processes["P"].states == 4


def test_a_mistake_in_a_cell_is_told_at_once():
    shell = Shell()
    with pytest.raises(surety.Error, match="LAMP.lts:1:"):
        shell.fsp("LAMP", "P = (on -> .\n")
    assert shell.user_ns == {}
    with pytest.raises(surety.Error, match="write %%fsp NAME"):
        shell.fsp("", "P = (a -> P).\n")
