"""What a type allows, in words."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from buck_env.base.allowed import InWords, allowed_by


class Way(Enum):
    UP = "up"
    DOWN = "down"

    def __str__(self) -> str:
        return self.value


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (bool, "true or false"),
        (int, "a whole number"),
        (Path, "a folder"),
        (float | None, "a number, or null"),
        (Annotated[int, Field(ge=1, le=2000)], "a whole number from 1 to 2,000"),
        (Annotated[int, Field(ge=0, lt=2**63)], "a whole number of at least 0 and below 2^63"),
        (Annotated[float, Field(gt=0, le=0.5)], "a number above 0 and up to 0.5"),
        (Annotated[float, Field(gt=0, allow_inf_nan=False)], "a number above 0"),
        (Annotated[str, Field(min_length=1)], "a text"),
        (Annotated[str, InWords("a name")], "a name"),
        (Literal["up", "down", 3], "up, down or 3"),
        (Literal["bid"] | Annotated[int, Field(ge=0, le=5)], "bid, or a whole number from 0 to 5"),
        (Way, "up or down"),
        (list[str], "a list of texts"),
        (list[Annotated[int, Field(ge=1)]], "a list of whole numbers of at least 1"),
        (list[Annotated[str, InWords("a name", "names")]], "a list of names"),
        (list[Literal["up", "down"]] | None, "a list of the words up, down, or null"),
    ],
)
def test_a_type_is_put_in_words(hint: Any, words: str) -> None:
    assert allowed_by(hint) == words
