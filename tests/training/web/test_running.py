"""The service as a process: it says where it listens, and ends once it has answered."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from agents.programs.position import position_of
from buck_env import load_rules
from training.bench.clients import Client
from training.bench.serve import serving
from training.web.bots import first_decision

SLOW = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if "protocol" in asked:
        print(json.dumps({"protocol": asked["protocol"]}), flush=True)
        continue
    if asked["hands_played"] == 7:
        open(sys.argv[1], "w").close()
        time.sleep(1)
    print(json.dumps({"id": asked["id"], "action": asked["legal"][-1]}), flush=True)
"""
"""A program that thinks for a second in the eighth hand of a match, and makes a file when it begins."""


def test_what_was_begun_is_answered_before_sigterm_ends_it(tmp_path: Path) -> None:
    program, began = tmp_path / "slow.py", tmp_path / "began"
    program.write_text(SLOW)
    bot = "cmd:" + shlex.join([sys.executable, str(program), str(began)])
    position = position_of(first_decision(load_rules("ohio")), 0) | {"hands_played": 7}

    async def asked_while_it_ends() -> dict[str, object]:
        with serving(["--bots", bot, "--rules", "ohio", "--seconds", "60"]) as (process, port):
            client = Client(*await asyncio.open_connection("127.0.0.1", port))
            answer = asyncio.create_task(client.ask("/decide", json.dumps(position).encode()))
            while not began.exists():
                await asyncio.sleep(0.02)
            process.terminate()
            answered = json.loads(await answer)
            await client.close()
            assert process.wait(60) == 0
            return answered

    assert asyncio.run(asked_while_it_ends())["action"] == position["legal"][-1]
