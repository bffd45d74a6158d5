"""`%%fsp NAME` in a notebook: the cell is a model, and NAME is the variable that has it."""

from .model import fsp
from .process import Error


def load_ipython_extension(shell):
    """For `%load_ext surety`."""
    def magic(line, cell):
        name, *constants = line.split() or [""]
        if not name.isidentifier() or not all("=" in word for word in constants):
            raise Error("write %%fsp NAME, and after it constants such as K=3")
        model = fsp(cell, name, define=dict(word.split("=", 1) for word in constants))
        model.info  # so that mistakes are told here
        shell.user_ns[name] = model
        return model
    shell.register_magic_function(magic, "cell", "fsp")
