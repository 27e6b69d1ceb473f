"""A bot as a program: `cmd:python mybot.py` sits down. It needs nothing but Python; mybot.js plays alike."""

import json
import sys
from typing import Any


def decide(position: dict[str, Any]) -> str:
    """Calls what it holds most of, stays on three cards of it, opens with its highest card, then plays its lowest."""
    phase, legal, view = position["phase"], position["legal"], position["view"]
    suits = [card[-1] for card in view["hands"][position["seat"]]]
    longest = max("CDHS", key=suits.count)
    if phase in ("play", "discard"):
        opens = phase == "play" and all(step["phase"] != "play" for step in view["steps"])
        return str(sorted(legal, key=lambda action: "9TJQKA".index(action[-2]))[-1 if opens else 0])
    if f"name:{longest}" in legal:
        return f"name:{longest}"
    if "order" in legal and suits.count(view["rest"][0][-1]) >= 3:
        return "order"
    if "stay" in legal:
        return "stay" if suits.count(longest) >= 3 or "drop" not in legal else "drop"
    return "pass" if "pass" in legal else str(legal[0])


sys.stdin.readline()  # the first line holds the rules, in full
print(json.dumps({"protocol": "buck-euchre-command-v1"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "action": decide(asked)}), flush=True)
