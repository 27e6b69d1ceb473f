"""Bundles that were tampered with or are foreign are refused in JavaScript as in Python, each with its reason."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnx
import pytest
from bots import untrained
from bundles import quietly, with_sums
from javascript.node import PACKAGE, needs_node, run_node

from agents.bots.bundle_files import MODEL_FILE, SAMPLES_FILE, SUMS_FILE
from buck_env import load_rules

pytestmark = needs_node

LOAD = f"import {{ loadBundleFolder }} from {json.dumps((PACKAGE / 'node.js').as_uri())};\n"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    return quietly(untrained(folder / "bot", load_rules("ohio")), folder / "bundle", samples=4)


def of_card(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        card = json.loads((folder / "bot.json").read_text())
        change(card)
        (folder / "bot.json").write_text(json.dumps(card))
        with_sums(folder)

    return edit


def of_model(change: Callable[[onnx.ModelProto], Any]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        model = onnx.load_model(folder / MODEL_FILE)
        change(model)
        (folder / MODEL_FILE).write_bytes(model.SerializeToString())
        with_sums(folder)

    return edit


def of_bytes(name: str, change: Callable[[bytes], bytes], *, signed: bool = False) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        (folder / name).write_bytes(change((folder / name).read_bytes()))
        if signed:
            with_sums(folder)

    return edit


def fix_batch(model: onnx.ModelProto) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1


def lie_outside(model: onnx.ModelProto) -> None:
    model.graph.initializer[0].data_location = onnx.TensorProto.EXTERNAL


TAMPERED: list[tuple[Callable[[Path], Any], str]] = [
    *[(of_bytes(name, lambda data: data[:-20]), "") for name in ("bot.json", MODEL_FILE, SAMPLES_FILE, SUMS_FILE)],
    (of_bytes(MODEL_FILE, lambda data: data[:99] + bytes([data[99] ^ 1]) + data[100:]), "model.onnx: checksum is not"),
    (lambda folder: (folder / "bot.json").unlink(), "bot.json: cannot be read"),
    (of_bytes(SUMS_FILE, lambda data: data + data.splitlines()[0]), "SHA256SUMS: lists"),
    (of_card(lambda card: card.update(format="zip")), "format is 'zip'"),
    (of_card(lambda card: card.update(observation_version=7)), "observation_version is 7.*export the bot again"),
    (of_card(lambda card: card.update(environment="spades")), "environment is 'spades'"),
    (of_card(lambda card: card["actions"].reverse()), "actions: not as in this version"),
    (of_card(lambda card: card["observation"].pop()), "observation: not as in this version"),
    (of_card(lambda card: card["observation"][3].update(start=0)), "observation: not as in this version"),
    (of_card(lambda card: card["inputs"].update(observation=["int8", 1])), "inputs: not as in this version"),
    (of_card(lambda card: card.update(phases=["bid"])), "phases: bid is no phase of its rules"),
    (of_card(lambda card: card.update(phases=[])), "phases: none"),
    (of_card(lambda card: card.update(play="boldly")), "play: "),
    (of_card(lambda card: card.update(temperature=0)), "temperature: "),
    (of_card(lambda card: card.update(note=1)), "note: "),
    (of_card(lambda card: card.pop("license")), "license: "),
    (of_card(lambda card: card["rules"].update(seats=9)), "bot.json: rules: seats: 9 is not allowed"),
    (of_bytes("bot.json", lambda _: b"[1]", signed=True), "is not a bot's JSON"),
    (of_bytes(MODEL_FILE, lambda data: data[:-20], signed=True), "is no ONNX file"),
    (of_bytes(MODEL_FILE, lambda _: b"no model at all", signed=True), "is no ONNX file"),
    (of_bytes(MODEL_FILE, lambda _: b"", signed=True), "is no ONNX file"),
    (of_model(lambda model: setattr(model.graph.node[-1], "op_type", "RandomNormal")), "operator RandomNormal; all"),
    (of_model(lambda model: setattr(model.graph.node[-1], "domain", "com.evil")), "of the domain com.evil"),
    (of_model(lambda model: model.opset_import.add(domain="com.evil", version=1)), "imports operators of the domain"),
    (of_model(lie_outside), "lies in another file"),
    (of_model(lambda model: model.functions.add(name="f", domain="g")), "has functions"),
    (of_model(lambda model: setattr(model.graph.input[0], "name", "x")), "inputs are x, action_mask; allowed"),
    (of_model(lambda model: model.graph.output.pop()), "outputs are log_probabilities; allowed"),
    (of_model(fix_batch), "fixed batch of 1"),
    (of_model(lambda model: setattr(model.graph.input[0].type.tensor_type, "elem_type", 1)), "observation is not int8"),
    (of_model(lambda model: setattr(next(n for n in model.graph.node if n.op_type == "Relu"), "op_type", "Tanh")),
     r"no dense network.*Tanh.*give loadBundle onnxruntime"),
]  # fmt: skip


def test_a_bundle_that_was_tampered_with_or_is_foreign_is_refused(bundle: Path, tmp_path: Path) -> None:
    folders = []
    for number, (edit, _) in enumerate(TAMPERED):
        folders.append(shutil.copytree(bundle, tmp_path / str(number)))
        edit(folders[-1])
    script = """
    const refusal = (folder) => loadBundleFolder(folder).then(() => null, (error) => [error.name, error.message]);
    answer(await Promise.all(given.map(refusal)));
    """
    for (_, said), found in zip(TAMPERED, run_node(tmp_path, LOAD + script, [*map(str, folders)]), strict=True):
        assert found is not None, said
        name, message = found
        assert name == "BotError", message
        assert re.search(said, message), message


def test_a_bundle_of_other_rules_and_a_position_that_does_not_fit_are_refused(bundle: Path, tmp_path: Path) -> None:
    script = """
    const bot = await loadBundleFolder(given);
    const faults = [];
    const refused = async (act) => { try { await act(); } catch (error) { faults.push(error.message); } };
    await refused(() => loadBundleFolder(given, { rules: buck.parseRules("bucked") }));
    const { table } = new buck.Match(buck.parseRules("bucked"), { seed: 1 });
    await refused(() => bot.decide(table));
    const { view, ...position } = new buck.Match(bot.rules, { seed: 1, dealer: 0 }).table.position();
    await refused(() => bot.decide({ view, ...position, legal: ["pass"] }));
    await refused(() => bot.decide({ view, uniform: 1 }));
    await refused(() => bot.decide({ view: { ...view, hands: view.hands.map(() => null) } }));
    await refused(() => bot.at("grandmaster"));
    await refused(() => bot.at({ temperature: 0 }));
    answer(faults);
    """
    faults = run_node(tmp_path, LOAD + script, str(bundle))
    wanted = [
        "bot.json: was trained for the rules ohio, not for bucked", "bundle:ohio: plays the rules ohio, not bucked",
        "position: legal: [", "position: uniform: 1 is not allowed", "position: view: hands: ", "lists no level",
        "temperature: 0 is not allowed",
    ]  # fmt: skip
    assert len(faults) == len(wanted)
    for fault, said in zip(faults, wanted, strict=True):
        assert said in fault
