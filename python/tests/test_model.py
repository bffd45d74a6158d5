import subprocess
import time

import pytest

import surety

RELABELLED = "P = (a -> b -> P).\n||S = (x:P || P/{c/a})/{q/x.a}.\n"


def test_components_are_those_of_the_system(gas):
    assert list(gas.components) == ["CUSTOMER(1)", "CUSTOMER(2)", "PUMP(1)", "PUMP(2)", "OPERATOR"]
    assert gas.components["PUMP(2)"].alphabet[0] == "activate.2"
    assert gas.components["PUMP(2)"].states == 6
    assert list(gas.properties) == ["MUTEX", "CHANGE", "PREPAID", "ACTIVATED"]
    assert len(gas.using(K=3).components) == 6


def test_steps_have_the_names_of_the_system():
    parts = surety.fsp(RELABELLED).components
    assert parts["x:P"].steps == [(0, "q", 1), (1, "x.b", 0)]
    assert parts["P"].steps == [(0, "c", 1), (1, "b", 0)]
    order = surety.fsp("property ORDER = (a -> b -> ORDER).\n").properties["ORDER"]
    assert (order.states, order.error) == (3, 2) and (0, "b", 2) in order.steps
    assert surety.fsp(RELABELLED).processes["P"].steps == [(0, "a", 1), (1, "b", 0)]


def test_the_option_system_chooses_the_components():
    text = "A = (a -> A).\nB = (b -> B).\n||ONE = (A).\n||TWO = (A || B).\n"
    assert list(surety.fsp(text).components) == ["A", "B"]
    assert list(surety.fsp(text, system="ONE").components) == ["A"]


def test_a_report_is_a_list_of_checks(broken):
    report = broken.check()
    assert not report and report.verdict == "violated"
    assert [c.property for c in report if not c] == ["CHANGE"]
    assert report.trace[-1] == "change.1.2" and len(report.trace) == 11
    assert report.trace.participants[-1] == ["CUSTOMER(1)", "OPERATOR"]
    assert report.cost["states"] == sum(c.cost["states"] for c in report)
    assert report.cost["max_states"] == max(c.cost["max_states"] for c in report)


def test_a_proof_by_parts_has_an_assumption(gas):
    report = gas.check("CHANGE", method="asym", split=[["CUSTOMER(1)", "PUMP(2)"], None], time=60)
    assert report and len(report) == 1
    assert report[0].method == "asym"
    assert report[0].split == [["CUSTOMER(1)", "PUMP(2)"], ["CUSTOMER(2)", "PUMP(1)", "OPERATOR"]]
    assert report.assumption.states == len({s for s, _, _ in report.assumption.steps})


def test_a_budget_that_ends_is_unknown(gas):
    report = gas.check("MUTEX", method="monolithic", states=5)
    assert report.verdict == "unknown" and not report and report[0].why


def test_what_is_told_beside_the_report_is_kept(channel):
    assert "learner" in channel.check("ORDER", method="monolithic", learner="kv").notes


def test_a_certificate_can_be_saved_and_checked(tmp_path, channel, examples):
    report = channel.check("ORDER")
    report.certificate.save(tmp_path / "proof.json")
    assert surety.certify(tmp_path / "proof.json")
    assert surety.certify(report.certificate, examples / "channel/channel.lts")
    other = surety.certify(tmp_path / "proof.json", examples / "channel/channel_broken.lts")
    assert not other and other["reason"]


def test_nothing_proved_is_no_certificate(broken):
    assert broken.check("CHANGE").certificate is None


def test_composition_gives_a_machine(channel):
    whole = channel.compose()
    assert whole.steps == [(0, "input", 1), (1, "send.1", 2), (2, "output", 3), (3, "ack.1", 0)]
    hidden = surety.fsp("P = (a -> b -> P)\\{a}.\n").compose(minimise="weak")
    assert (hidden.states, hidden.alphabet) == (1, ["b"])


def test_the_limit_of_a_composition_is_an_exception(gas):
    with pytest.raises(surety.Stopped):
        gas.compose(states=5)


def test_assumptions_are_machines(examples):
    order = examples / "channel/order.aut"
    one = surety.aut(examples / "channel/input.aut", property=order)
    actions = ["send", "output", "ack"]
    weakest = one.weakest(actions=actions)
    assert (weakest.states, weakest.transitions, weakest.alphabet) == (4, 9, ["ack", "output", "send"])
    assert weakest.about["weakest"] is True
    learned = one.interface(actions=actions, conformance=1)
    assert learned.states == 2 and learned.about["weakest"] is False


def test_machines_are_compared_and_composed_again(channel, examples):
    whole = channel.compose()
    assert surety.compare(whole, channel)
    different = surety.compare(examples / "channel/input.aut", examples / "channel/output.aut", equivalence="weak")
    assert not different and different["weak"]["trace"] == ["input"]
    parts = channel.components.values()
    again = surety.read(*parts).check(channel.properties["ORDER"], method="asym")
    assert again and again[0].property == "ORDER"


def test_promela_and_ada_are_read_from_texts():
    program = surety.promela("byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n")
    report = program.check("assert")
    assert report.verdict == "violated"
    assert [step["statement"] for step in report.trace.steps][0] == "x = 1"
    assert report.trace.participants[0] == ["P"]
    task = "procedure Model is\n   task T is\n      entry Go;\n   end T;\n   task body T is\n   begin\n" \
           "      accept Go;\n   end T;\nbegin\n   T.Go;\nend Model;\n"
    assert surety.ada(task).check("deadlock")
    assert list(surety.ada(task).components) == ["Model", "T"]


def test_events_have_names_and_machines(channel):
    events = list(channel.watch("ORDER", method="asym"))
    assert [events[0]["event"], events[-1]["event"]] == ["start", "end"]
    conjectures = [e["lts"] for e in events if e["event"] == "conjecture"]
    assert conjectures[-1].steps[0] == (0, "send.1", 1)
    assert [e["added"] for e in events if e["event"] == "alphabet"] == [["send.1"], ["ack.1"]]
    assert [e["verdict"] for e in events if e["event"] == "verdict"] == ["holds"]


def test_leaving_the_loop_ends_the_run(examples, monkeypatch):
    started = []

    class Popen(subprocess.Popen):
        def __init__(self, *words, **options):
            super().__init__(*words, **options)
            started.append(self)

    surety.process.program()  # has asked for the version before
    monkeypatch.setattr(subprocess, "Popen", Popen)
    large = surety.read(examples / "gas_station/gas_station.lts", K=9)
    began = time.monotonic()
    for event in large.watch("CHANGE", method="monolithic", reduction="none", time=100):
        if event["event"] == "progress":
            assert started[0].poll() is None
            break
    assert event["event"] == "progress"
    assert started[0].returncode is not None and len(started) == 1
    assert time.monotonic() - began < 20


def test_watching_something_wrong_is_an_error():
    with pytest.raises(surety.Error, match="model.lts:1:"):
        list(surety.fsp("P = (a -> .\n").watch())


def test_a_sweep_has_a_row_for_each_combination(tmp_path, channel):
    rows = surety.sweep(channel, "ORDER", K=range(2, 5), method=["asym", "monolithic"])
    assert [(r["K"], r["method"], r["verdict"]) for r in rows] == [
        (k, m, "holds") for k in (2, 3, 4) for m in ("asym", "monolithic")]
    rows.to_csv(tmp_path / "rows.csv")
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert lines[0].startswith("K,method,kind,property,verdict") and len(lines) == 7
    assert lines[1].startswith("2,asym,safety,ORDER,holds")


def test_machines_of_the_same_name_are_different_ones():
    first, second = surety.fsp("A = (a -> b -> A).").compose(), surety.fsp("B = (b -> a -> B).").compose()
    assert first.name == second.name
    both = surety.read(first, second)
    assert [m.steps[0][1] for m in both.components.values()] == ["a", "b"]
    assert both.check("deadlock").verdict == "violated"
    system = surety.fsp("A = (a -> b -> A).")
    kept, broken = (surety.fsp(f"property P = ({text} -> P).").processes["P"] for text in ("a -> b", "b -> a"))
    assert [check.verdict for check in system.check(kept, broken)] == ["holds", "violated"]


def test_a_certificate_of_before_is_not_that_of_a_report(tmp_path):
    path = tmp_path / "proof.json"
    assert surety.fsp("A = (a -> A).").check(certificate=path).certificate is not None
    assert surety.fsp("A = (a -> B), B = STOP.").check(certificate=path).certificate is None
    assert surety.fsp("A = (a -> A).").check(certificate=path).certificate is not None
