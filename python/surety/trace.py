"""Counterexamples, and their pictures: one line downwards per process, one across per step."""

import html
from collections.abc import Sequence

from .machine import without_control

ROW, HEAD, LETTER, GAP = 30, 34, 6.3, 18  # heights of a step and of the names, width of a letter, room beside a text


class Trace(Sequence):
    """The actions of a counterexample. `cycle` is what is then repeated for ever, `participants` who takes part in each
    step of the two, `steps` the lines and statements of a program, `stands` where each process is at the end."""

    def __init__(self, check):
        self.actions = check["trace"]
        self.cycle = check.get("cycle", [])
        self.steps = check.get("steps", [])
        self.stands = check.get("stands", [])
        told = check.get("participants", [])
        self.participants = [(told[i] if i < len(told) else []) or (_who(self.steps[i]) if i < len(self.steps) else [])
                             for i in range(len(self.actions + self.cycle))]

    def __getitem__(self, which):
        return self.actions[which]

    def __len__(self):
        return len(self.actions)

    def __str__(self):
        cycle = f", then for ever: {', '.join(self.cycle)}" if self.cycle else ""
        return ", ".join(self.actions) + cycle

    def __repr__(self):
        return f"<Trace {self}>"

    def _repr_svg_(self):
        actions = self.actions + self.cycle
        who = self.participants
        names = self._names(who)
        labels = [self._label(i, action) for i, action in enumerate(actions)]
        at = _columns(names, who, labels)
        spans = [_span(at, line, label) for line, label in zip(who, labels)]
        width = max([right for _, right in spans] + [at[n] + _wide(n) / 2 for n in names] + [60]) + GAP
        height = HEAD + ROW * len(actions) + 16
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
               f'viewBox="0 0 {width:.0f} {height}" font-family="Helvetica, Arial, sans-serif" font-size="11">',
               '<rect width="100%" height="100%" fill="white"/>']
        if self.cycle:
            top = HEAD + ROW * len(self.actions)
            out.append(f'<rect x="3" y="{top + 2}" width="{width - 6:.0f}" height="{ROW * len(self.cycle)}" rx="5" '
                       'fill="#fff6e0" stroke="#c08000" stroke-dasharray="4 3"/>'
                       f'<text x="{width - 8:.0f}" y="{top + ROW * len(self.cycle) + 14}" text-anchor="end" '
                       'fill="#8a5a00" font-size="10">for ever</text>')
        for name in names:
            x, half = at[name], _wide(name) / 2
            out.append(f'<line x1="{x:.0f}" y1="{HEAD - 8}" x2="{x:.0f}" y2="{height - 6}" stroke="#bbb"/>'
                       f'<rect x="{x - half:.0f}" y="6" width="{2 * half:.0f}" height="20" rx="4" fill="#eef2f7" '
                       f'stroke="#8796a8"/>{_text(x, 20, name)}')
        for i, (line, label, (left, right)) in enumerate(zip(who, labels, spans)):
            y = HEAD + ROW * i + 21
            last = i == len(actions) - 1 and not self.cycle
            colour = "#b00020" if last else "#1f4e79"
            if len(line) > 1:
                out.append(f'<line x1="{left:.0f}" y1="{y}" x2="{right:.0f}" y2="{y}" stroke="{colour}" '
                           'stroke-width="1.5"/>')
            out += [f'<circle cx="{at[name]:.0f}" cy="{y}" r="3.5" fill="{colour}"/>' for name in line]
            out.append(_text((left + right) / 2, y - 5, label, colour) if len(line) > 1 else
                       _text(left, y + 4, label, colour, "start"))
        return "".join(out) + "</svg>"

    def _names(self, who):
        """In the order of the model, as far as it is known, else as they come."""
        come = list(dict.fromkeys(name for line in who for name in line))
        order = [stand["process"] for stand in self.stands if stand["process"] in come]
        return list(dict.fromkeys(order + come))

    def _label(self, i, action):
        statement = self.steps[i].get("statement") if i < len(self.steps) and action == "tau" else None
        text = statement or action
        return text if len(text) <= 40 else text[:39] + "…"


def _who(step):
    return [end["process"] for end in (step, step.get("with", {})) if end.get("process")]


def _wide(text):
    return len(text) * LETTER + GAP


def _columns(names, who, labels):
    """Where each process is, so far apart that the text of every step has room between its ends."""
    at = {}
    for k, name in enumerate(names):
        x = _wide(name) / 2 + 6 if k == 0 else at[names[k - 1]] + (_wide(names[k - 1]) + _wide(name)) / 2 + 4
        for line, label in zip(who, labels):
            ends = [n for n in names if n in line]
            if len(ends) > 1 and ends[-1] == name:
                x = max(x, at[ends[0]] + _wide(label))
            elif k > 0 and ends == [names[k - 1]]:  # its text stands to the right of it
                x = max(x, at[names[k - 1]] + _wide(label) + 4)
        at[name] = x
    return at


def _span(at, line, label):
    """From where to where the line of a step goes; if one process does it alone, its text."""
    ends = [at[name] for name in line]
    if len(ends) > 1:
        return min(ends), max(ends)
    left = ends[0] + 8 if ends else 8
    return left, left + len(label) * LETTER


def _text(x, y, text, colour="#222", anchor="middle"):
    """White around the letters keeps them apart from lines."""
    return (f'<text x="{x:.0f}" y="{y}" text-anchor="{anchor}" fill="{colour}" stroke="white" stroke-width="3" '
            f'paint-order="stroke">{html.escape(without_control(text))}</text>')
