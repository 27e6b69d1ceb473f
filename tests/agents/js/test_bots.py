"""Bundles in JavaScript: what the bot does in Python, by the package's own arithmetic and by a runtime; tampering."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from bundles import quietly
from javascript.node import PACKAGE, needs_node, run_node
from javascript.random_hands import positions_of, random_views
from places import ROOT

from agents.bots.onnx_bot import OnnxAgent, load_onnx
from agents.bots.policy import encoded
from agents.programs.position import action_texts
from buck_env import PROFILES, Rules, action_text, load_rules
from buck_env.game.options import PHASES
from buck_env.observation.views import Views

pytestmark = needs_node

LOAD = f"import {{ loadBundleFolder }} from {json.dumps((PACKAGE / 'node.js').as_uri())};\n"
SAMPLES = """
const [bot, found] = [await loadBundleFolder(given), []];
for (const line of readFileSync(`${given}/samples.jsonl`, "utf8").trim().split("\\n")) {
  const { view, hands_played, uniform, ...sample } = JSON.parse(line);
  const position = { view, hands_played, uniform };
  const { observation, mask, suits } = buck.encode(position, { canonical: bot.card.canonical });
  const { logProbabilities, value } = bot.policy({ observation, mask });
  const chosen = (play) => bot.at({ temperature: 1, play }).decide(position).action;
  const probabilities = [...logProbabilities].map(Math.exp);
  const arrays = { observation: [...observation], action_mask: [...mask], probabilities };
  found.push([sample, { suits, ...arrays, value, greedy: chosen("greedy"), sampled: chosen("sampled") }]);
}
answer(found);
"""
DECIDE = """
const bots = await Promise.all(given.folders.map((folder) => loadBundleFolder(folder)));
answer(bots.map((bot) => given.positions.map((position) => bot.decide(position))));
"""


def pretrained(folder: Path, profile: str, **options: Any) -> Path:
    return quietly(ROOT / "agents" / "pretrained" / profile, folder, **options)


def assert_same_decisions(found: list[dict[str, Any]], agent: OnnxAgent, views: Views) -> None:
    """Actions are equal, probabilities and values to 1e-5."""
    assert [decision["action"] for decision in found] == action_texts(agent.act(views), views)
    observation, mask, _ = encoded(views, agent.canonical)
    values, wanted = agent.policy(observation, mask)[1], agent.probabilities(views)
    assert np.abs(np.array([decision["value"] for decision in found]) - values).max() < 1e-5
    for row, decision in enumerate(found):
        phase = PHASES[int(views.tables["phase"][row])]
        rated = [decision["probabilities"].get(action_text(action, phase), 0) for action in range(43)]
        assert sum(rated) == pytest.approx(1, abs=1e-5)
        assert np.abs(rated - wanted[row]).max() < 1e-5


@pytest.mark.parametrize("profile", PROFILES)
def test_every_sample_of_a_bundle_is_found(profile: str, tmp_path: Path) -> None:
    bundle = pretrained(tmp_path / "bundle", profile, samples=40)
    found = run_node(tmp_path, LOAD + SAMPLES, str(bundle))
    assert len(found) == 40
    for sample, ours in found:
        assert ours.pop("probabilities") == pytest.approx(sample.pop("probabilities"), abs=1e-5)
        assert ours.pop("value") == pytest.approx(sample.pop("value"), abs=1e-5)
        assert ours == sample


@pytest.mark.parametrize("profile", PROFILES)
def test_1000_decisions_of_floats_and_of_8_bits_are_python_s(profile: str, tmp_path: Path) -> None:
    rules = PROFILES[profile]
    views = random_views(rules, 1000, seed=11)
    folders = [pretrained(tmp_path / str(int8), profile, int8=int8, samples=1) for int8 in (False, True)]
    given = {"folders": [str(folder) for folder in folders], "positions": positions_of(views)}
    for folder, found in zip(folders, run_node(tmp_path, LOAD + DECIDE, given), strict=True):
        assert_same_decisions(found, load_onnx(str(folder), rules), views)


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of the easiest level, which draws its actions; its card lists the three levels."""
    return pretrained(tmp_path_factory.mktemp("easy"), "bucked", level="easy", deals=4, samples=24)


def test_a_level_plays_as_python_s_and_gives_the_other_levels(easy: Path, tmp_path: Path) -> None:
    rules = PROFILES["bucked"]
    views = random_views(rules, 200, seed=12)
    hard = pretrained(tmp_path / "hard", "bucked", level="hard", samples=1)
    script = """
    const bot = await loadBundleFolder(given.easy);
    const hard = await loadBundleFolder(given.easy, { level: "hard" });
    const bots = [bot, bot.at("hard"), hard, hard.at("easy")];
    answer([bot.levels, bots.map((bot) => given.positions.map((position) => bot.decide(position)))]);
    """
    levels, found = run_node(tmp_path, LOAD + script, {"easy": str(easy), "positions": positions_of(views)})
    assert levels == ["easy", "medium", "hard"]
    for bundle, decisions in zip([easy, hard, hard, easy], found, strict=True):
        assert_same_decisions(decisions, load_onnx(str(bundle), rules), views)


RUNTIME = """
import { parseModel } from "PACKAGE/onnx/model.js";
import { compileNetwork } from "PACKAGE/onnx/network.js";
class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
const create = async (model) => ({
  async run({ observation, action_mask }) {
    const shapes = String([observation.type, observation.dims, action_mask.type, action_mask.dims]);
    if (shapes !== "int8,1,512,int8,1,43") throw new Error(shapes);
    const run = compileNetwork(parseModel(model, "model"), 512, "model");
    const { logProbabilities, value } = run(observation.data, action_mask.data);
    return { log_probabilities: new Tensor("float32", logProbabilities), value: new Tensor("float32", [value]) };
  },
});
const bot = await loadBundleFolder(given.folder, { onnxruntime: { InferenceSession: { create }, Tensor } });
answer(await Promise.all(given.positions.map((position) => bot.decide(position))));
""".replace("PACKAGE", PACKAGE.as_uri())


def test_a_runtime_is_given_the_tensors_that_the_bundle_declares_and_waited_for(easy: Path, tmp_path: Path) -> None:
    views = random_views(PROFILES["bucked"], 20, seed=13)
    found = run_node(tmp_path, LOAD + RUNTIME, {"folder": str(easy), "positions": positions_of(views)})
    assert_same_decisions(found, load_onnx(str(easy), PROFILES["bucked"]), views)


def test_views_of_a_house_are_rated_by_a_bundle_of_that_house(tmp_path: Path) -> None:
    rules: Rules = load_rules({"base": "dirty-clubs", "illegal_play": "renege"})
    folder = quietly(untrained(tmp_path / "bot", rules), tmp_path / "bundle", samples=1)
    views = random_views(rules, 100, seed=14)
    given = {"folders": [str(folder)], "positions": positions_of(views)}
    assert_same_decisions(run_node(tmp_path, LOAD + DECIDE, given)[0], load_onnx(str(folder), rules), views)
