import xml.etree.ElementTree as xml

import surety

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(node.itertext()) for node in xml.fromstring(svg).iter(SVG + "text")]


def test_a_machine_is_drawn_with_its_actions(gas):
    svg = gas.components["PUMP(1)"]._repr_svg_()
    assert svg.startswith("<svg")
    said = texts(svg)
    assert {"0", "5", "activate.1", "charge.2.1"} <= set(said)
    assert gas.components["PUMP(1)"]._repr_html_() is None


def test_a_machine_that_is_too_large_is_a_table(gas):
    whole = gas.using(K=3).compose()
    assert whole.states > 100
    assert whole._repr_svg_() is None
    assert f"<td>{whole.states}</td>" in whole._repr_html_()


def test_without_graphviz_there_is_a_table(gas, monkeypatch):
    pump = gas.components["PUMP(1)"]
    monkeypatch.setenv("PATH", "/nowhere")
    assert pump._repr_svg_() is None and "<td>6</td>" in pump._repr_html_()


def test_a_trace_is_drawn_step_by_step(broken):
    trace = broken.check("CHANGE").trace
    svg = trace._repr_svg_()
    assert texts(svg) == ["CUSTOMER(1)", "CUSTOMER(2)", "PUMP(1)", "PUMP(2)", "OPERATOR", *trace]
    circles = list(xml.fromstring(svg).iter(SVG + "circle"))
    assert len(circles) == sum(len(who) for who in trace.participants)


def test_a_cycle_is_marked():
    report = surety.fsp("P = (a -> Q), Q = (b -> Q).\nprogress A = {a}\n").check("A")
    assert report.trace.cycle == ["b"]
    assert "for ever" in texts(report.trace._repr_svg_())
    assert str(report.trace) == "a, then for ever: b"


def test_a_trace_of_a_program_shows_statements():
    report = surety.promela("byte x;\nactive proctype P() { x = 1; assert(x < 1) }\n").check("assert")
    assert texts(report.trace._repr_svg_())[:2] == ["P", "x = 1"]


def test_an_empty_trace_is_drawn():
    report = surety.fsp("P = STOP+{a}.\n").check("deadlock")
    assert list(report.trace) == [] and xml.fromstring(report.trace._repr_svg_()).tag == SVG + "svg"


def test_reports_models_and_sweeps_are_tables(channel):
    assert "<td>ORDER</td>" in channel.check("ORDER")._repr_html_()
    assert "<td>INPUT</td><td>3</td>" in channel._repr_html_()
    assert "<td>ORDER</td>" in surety.sweep(channel, "ORDER", K=[2])._repr_html_()


def test_what_xml_cannot_have_is_spelt_out(tmp_path):
    (tmp_path / "odd.aut").write_bytes(b'des (0,1,2)\n(0,"a\x07b<\xef\xbf\xbe",1)\n')
    odd = surety.aut(tmp_path / "odd.aut")
    assert texts(odd.check("deadlock").trace._repr_svg_())[-1] == r"a\x07b<\xFFFE"
    assert r"a?b<\xFFFE" in texts(odd.compose()._repr_svg_())  # Graphviz is told of no control characters
