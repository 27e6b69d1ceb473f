"""YAML that does not fit or blows up: one clear error."""

from __future__ import annotations

import pytest

from buck_env import BuckError
from buck_env.base.yaml import parse_yaml


@pytest.mark.parametrize("text", ['a: !!int ""', "a: !!bool maybe", 'a: !!float ""', "a: !!python/object:os.system x"])
def test_yaml_tags_that_do_not_fit_are_named(text: str) -> None:
    with pytest.raises(BuckError, match="here"):
        parse_yaml(text, "here")


def test_yaml_that_blows_up_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(BuckError, match="blow it up"):
        parse_yaml("\n".join(lines), "here")
