"""The address of a Ray cluster on the command line."""

from __future__ import annotations

from typing import Any

import pytest

from buck_env.base.errors import BuckError
from training.cli.app import main
from training.tournament.event import TournamentConfig


@pytest.mark.parametrize(
    ("options", "address"),
    [(["--ray"], "auto"), (["--ray", "local"], "local"), (["--ray", "deals=9"], "auto"), (["ray=h:1"], "h:1")],
)
def test_a_cluster_is_named_by_option_or_setting(
    options: list[str], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[TournamentConfig] = []

    def stop(config: TournamentConfig, **_: Any) -> None:
        seen.append(config)
        raise BuckError("seen")

    monkeypatch.setattr("training.tournament.event.play_tournament", stop)
    assert main(["tournament", "ohio", *options]) == 1
    assert seen[0].ray == address
    assert seen[0].deals == (9 if "deals=9" in options else 20_000)


def test_an_empty_address_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "ohio", "--ray", ""]) == 1
    assert "ray: '' is not allowed" in capsys.readouterr().err
