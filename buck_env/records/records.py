"""Hand records: read, write, replay, verify.

A record is one JSON object a line; `verify` replays it through the engine and tells the first difference in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NotRequired

import numpy as np
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from buck_env.base.checks import is_whole
from buck_env.base.errors import RecordError, RulesError, shortened
from buck_env.game import engine
from buck_env.game.actions import NUM_ACTIONS, action_id, action_text
from buck_env.game.cards import CARDS, TRUMPS, card_id
from buck_env.game.rules import PROFILES, Rules, load_rules
from buck_env.game.table import NONE, Phase, make_tables

__all__ = [
    "HandRecord",
    "confirmed",
    "deal_record",
    "legal_texts",
    "read_records",
    "replay",
    "result_of",
    "verify",
    "write_records",
]

_STRICT = ConfigDict(extra="forbid", strict=True)
_Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]


def _encodable(text: str) -> str:
    """A text as it is; ValueError where lone surrogates keep it out of any file."""
    text.encode()
    return text


@with_config(_STRICT)
class Step(TypedDict):
    """One decision; a view shows `legal` only on its own seat's steps."""

    seat: int
    phase: str
    legal: NotRequired[list[str]]
    action: str


@with_config(_STRICT)
class Result(TypedDict):
    """How a hand ended."""

    redeal: bool
    maker: int | None
    trump: str | None
    stayed: list[bool]
    tricks: list[int]
    deltas: list[_Whole]
    scores: list[_Whole]
    winners: list[int]


@with_config(_STRICT)
class MatchPlace(TypedDict):
    """Which hand of which match, counted from 0, redeals included."""

    id: Annotated[str, AfterValidator(_encodable)]
    hand: int


@with_config(_STRICT)
class HandRecord(TypedDict):
    """One hand; in a seat's view what it does not see is None, and there is no result."""

    rules: str | dict[str, Any]
    dealer: int
    scores: list[_Whole]
    hands: list[list[str] | None]
    rest: list[str | None]
    steps: list[Step]
    result: NotRequired[Result]
    match: NotRequired[MatchPlace]


_RECORD = TypeAdapter(HandRecord)


# --- Reading and writing ----------------------------------------------------------------------------------------------


def read_records(path: str | Path) -> Iterator[tuple[str, HandRecord]]:
    """Each record of a JSON-lines file with its place, ``file:line``; RecordError says what is no record and why."""
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{path}:{number}"
            yield where, parse_record(line, where)


def parse_record(line: str | bytes, where: str = "record") -> HandRecord:
    """The record or view of one JSON text, its form checked, its cards not yet."""
    try:
        value = json.loads(line, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not one JSON object: {error}") from None
    try:
        return _RECORD.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the line"
        told = first["msg"].removeprefix("Value error, ")
        raise RecordError(f"{where}: {place}: {told} (found {shortened(repr(first['input']))})") from None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"key {next(k for k in keys if keys.count(k) > 1)!r} stands twice")
    return dict(pairs)


def write_records(path: str | Path, records: Iterable[HandRecord]) -> None:
    """Add records to a file, one a line."""
    with open(path, "a", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")


def rules_of(record: HandRecord, where: str = "record") -> Rules:
    """The rules of a record: a profile's, or a mapping's; a record names no file."""
    source = record["rules"]
    if isinstance(source, str) and source not in PROFILES:
        raise RecordError(
            f"{where}: rules: {shortened(repr(source))} is no profile; allowed: {', '.join(PROFILES)}, or a mapping"
        )
    try:
        return load_rules(source)
    except RulesError as error:
        raise RecordError(f"{where}: {error}") from None


# --- A deal in record notation ----------------------------------------------------------------------------------------


def pack_of(rules: Rules, hands: Sequence[Sequence[str]], rest: Sequence[str], where: str = "deal") -> np.ndarray:
    """The pack, shape (24,) int8, that deals these hands; RecordError names what is missing, twice, or no card."""
    if not _is_list(hands) or len(hands) != rules.seats:
        raise RecordError(f"{where}: hands: {rules.base} seats {rules.seats}, not {_length(hands)}")
    for seat, hand in enumerate(hands):
        if not _is_list(hand) or len(hand) != 5:
            raise RecordError(f"{where}: hands: seat {seat} needs 5 cards, not {_length(hand)}")
    pack: list[int] = []
    _deal_in(pack, [text for hand in hands for text in hand], where)
    if not _is_list(rest) or len(rest) != 24 - 5 * rules.seats:
        raise RecordError(f"{where}: rest: needs {24 - 5 * rules.seats} cards, not {_length(rest)}")
    _deal_in(pack, rest, where)
    return np.array(pack, np.int8)


def _deal_in(pack: list[int], cards: Sequence[str], where: str) -> None:
    for text in cards:
        try:
            card = card_id(text)
        except ValueError as error:
            raise RecordError(f"{where}: {error}") from None
        if card in pack:
            raise RecordError(f"{where}: {CARDS[card]} is dealt twice")
        pack.append(card)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _length(value: object) -> str:
    return str(len(value)) if isinstance(value, Sequence) and _is_list(value) else repr(value)


def check_place(rules: Rules, dealer: object, scores: object, where: str = "deal") -> tuple[int, list[int]]:
    """The dealer and the scores of a deal, checked against the number of seats."""
    if not is_whole(dealer) or not 0 <= dealer < rules.seats:
        raise RecordError(f"{where}: dealer: {dealer!r} is no seat; allowed: 0 to {rules.seats - 1}")
    if not _is_list(scores) or len(scores) != rules.seats or not all(is_whole(s) for s in scores):  # type: ignore[arg-type, attr-defined]
        raise RecordError(f"{where}: scores: {scores!r} is not a whole number for each of {rules.seats} seats")
    if any(abs(score) > 10**9 for score in scores):  # type: ignore[attr-defined]
        raise RecordError(f"{where}: scores: {scores!r} leaves -1000000000 to 1000000000")
    return int(dealer), [int(score) for score in scores]  # type: ignore[attr-defined]


def record_table(record: HandRecord, rules: Rules, hands_played: int, where: str) -> np.ndarray:
    dealer, scores = check_place(rules, record["dealer"], record["scores"], where)
    pack = pack_of(rules, record["hands"], record["rest"], where)  # type: ignore[arg-type]
    return deal_table(rules, pack, dealer, scores, hands_played)


def deal_table(rules: Rules, pack: np.ndarray, dealer: int, scores: Sequence[int], hands_played: int = 0) -> np.ndarray:
    """One table, shape (1,), with a pack dealt."""
    table = make_tables(1)
    table["scores"][0, : rules.seats] = scores[: rules.seats]
    table["hands_played"] = hands_played
    engine.deal(table[0], rules.packed()[0], pack, dealer)
    return table


# --- Replay -----------------------------------------------------------------------------------------------------------


def legal_texts(table: np.ndarray, rules: Rules) -> list[str]:
    """The legal set of a table, shape (1,), as record texts, sorted as ASCII strings."""
    phase = phase_text(table)
    mask = int(engine.legal(table[0], rules.packed()[0]))
    return sorted(action_text(action, phase) for action in range(NUM_ACTIONS) if mask >> action & 1)


def phase_text(table: np.ndarray) -> str:
    """The phase of a table as records name it; ``over`` when the hand is."""
    return Phase(int(table["phase"][0])).name.lower()


def result_of(table: np.ndarray, rules: Rules) -> Result:
    """The result of a table, shape (1,), whose hand is over."""
    t = table[0]
    seats = range(rules.seats)
    redeal = bool(t.trump == NONE)
    return {
        "redeal": redeal,
        "maker": None if t.maker == NONE else int(t.maker),
        "trump": None if redeal else TRUMPS[t.trump],
        "stayed": [not t.dropped >> seat & 1 for seat in seats],
        "tricks": [int(t.tricks[seat]) for seat in seats],
        "deltas": [int(t.deltas[seat]) for seat in seats],
        "scores": [int(t.scores[seat]) for seat in seats],
        "winners": [seat for seat in seats if t.winners >> seat & 1],
    }


def replay(record: HandRecord, where: str = "record", hands_played: int = 0) -> Iterator[np.ndarray]:
    """The table, shape (1,), before every step and after the last; the same array, changed in place.

    RecordError tells the first step at which the engine disagrees with the record.
    """
    rules = rules_of(record, where)
    packed = rules.packed()
    table = record_table(record, rules, hands_played, where)
    for number, step in enumerate(record["steps"]):
        yield table
        place = f"{where}: step {number}"
        phase = phase_text(table)
        if phase == "over":
            raise RecordError(f"{place}: {step['action']} by seat {step['seat']}, but the hand is over")
        check_same(place, "phase", step["phase"], phase)
        check_same(place, "seat", step["seat"], int(table["seat"][0]))
        if "legal" in step:
            check_same(place, "legal", step["legal"], legal_texts(table, rules))
        action = action_of(step, place)
        if not int(engine.permitted(table[0], packed[0])) >> action & 1:
            raise RecordError(
                f"{place}: seat {step['seat']} may not {step['action']} in {phase}; "
                f"legal: {', '.join(legal_texts(table, rules))}"
            )
        engine.apply(table[0], packed[0], action)
    if phase_text(table) != "over":
        raise RecordError(
            f"{where}: the steps end, but seat {table['seat'][0]} has to {phase_text(table)}; "
            f"legal: {', '.join(legal_texts(table, rules))}"
        )
    yield table


def action_of(step: Step, place: str) -> int:
    try:
        action = action_id(step["action"])
    except ValueError as error:
        raise RecordError(f"{place}: {error}") from None
    if step["action"] != action_text(action, step["phase"]) and not step["action"].startswith(f"{step['phase']}:10"):
        raise RecordError(f"{place}: {step['action']!r} is no action of the phase {step['phase']}")
    return action


def check_same(where: str, what: str, recorded: object, engine_says: object) -> None:
    if recorded != engine_says or type(recorded) is not type(engine_says):
        raise RecordError(f"{where}: {what}: the record has {recorded!r}, the engine {engine_says!r}")


# --- Verify -----------------------------------------------------------------------------------------------------------


def verify_hand(record: HandRecord, where: str = "record", hands_played: int | None = None) -> Result:
    """The result of a record that the engine confirms; RecordError tells the first difference.

    Where a match has a number of hands and `hands_played` is not told, the hand may be the last of them or not.
    """
    return _confirm(record, where, hands_played)[0]


def _confirm(record: HandRecord, where: str, hands_played: int | None) -> tuple[Result, int]:
    """The same, and the hands of its match before it, settled where they are not told."""
    if "result" not in record:
        raise RecordError(f"{where}: result is missing")
    for number, step in enumerate(record["steps"]):
        if "legal" not in step:
            raise RecordError(f"{where}: step {number}: legal is missing")
    rules = rules_of(record, where)
    settled = hands_played or 0
    *_, table = replay(record, where, settled)
    result = result_of(table, rules)
    if rules.hands and hands_played is None and result["winners"] != record["result"]["winners"]:
        settled = rules.hands - 1
        *_, table = replay(record, where, settled)
        result = result_of(table, rules)
    for key, value in result.items():
        check_same(f"{where}: result", key, record["result"][key], value)  # type: ignore[literal-required]
    return result, settled


def verify(places: Iterable[tuple[str, HandRecord]]) -> int:
    """The number of records, all confirmed; RecordError tells the first difference."""
    return sum(1 for _ in confirmed(places))


def confirmed(places: Iterable[tuple[str, HandRecord]]) -> Iterator[tuple[str, HandRecord, int]]:
    """The records and their places with the hands of the match before each, as they are confirmed: each hand by the
    engine, each match as a sequence of hands.

    RecordError tells the first difference; that a match has no end shows after the last record.
    """
    matches: dict[str, _Match] = {}
    for where, record in places:
        if "match" in record:
            name = record["match"]["id"]
            match = matches.setdefault(name, _Match(name, rules_of(record, where)))
            yield where, record, match.confirm(where, record)
        else:
            yield where, record, _confirm(record, where, None)[1]
    for match in matches.values():
        match.end()


class _Match:
    """A match as far as its hands have been confirmed."""

    def __init__(self, name: str, rules: Rules) -> None:
        self._name, self._rules = name, rules
        self._scores = [rules.start] * rules.seats
        self._dealer = None if rules.first_dealer == "random" else rules.first_dealer - 1
        self._number = self._played = 0
        self._over = False
        self._where = ""

    def confirm(self, where: str, record: HandRecord) -> int:
        """The hands played before this one, redeals not counted."""
        self._where = where = f"{where}: match {self._name}"
        if self._over:
            raise RecordError(f"{where}: hand {self._number} follows a hand that has winners")
        check_same(where, "hand", record["match"]["hand"], self._number)
        if rules_of(record, where) != self._rules:
            raise RecordError(f"{where}: rules: {record['rules']!r} are not those of hand 0")
        check_same(where, "scores", record["scores"], self._scores)
        if self._dealer is not None:
            check_same(where, "dealer", record["dealer"], (self._dealer + 1) % self._rules.seats)
        before = self._played
        result = verify_hand(record, where, before)
        self._scores, self._dealer = result["scores"], record["dealer"]
        self._number += 1
        self._played += not result["redeal"]
        self._over = bool(result["winners"])
        return before

    def end(self) -> None:
        """RecordError where nobody has won it."""
        if not self._over:
            raise RecordError(f"{self._where}: ends without winners after hand {self._number - 1}")


# --- From the log of an environment -----------------------------------------------------------------------------------


def deal_record(log: np.void, rules: Rules, match: MatchPlace | None = None) -> HandRecord:
    """The record of one `LOG`; a hand still in progress has no result."""
    packed = rules.packed()
    table = deal_table(rules, log["pack"], int(log["dealer"]), log["scores"].tolist(), int(log["hands_played"]))
    pack = [CARDS[card] for card in log["pack"]]
    steps: list[Step] = []
    for action in log["actions"][: log["steps"]]:
        phase = phase_text(table)
        steps.append(
            {
                "seat": int(table["seat"][0]),
                "phase": phase,
                "legal": legal_texts(table, rules),
                "action": action_text(int(action), phase),
            }
        )
        engine.apply(table[0], packed[0], int(action))
    record: HandRecord = {
        "rules": rules.as_record(),
        "dealer": int(log["dealer"]),
        "scores": log["scores"][: rules.seats].tolist(),
        "hands": [pack[5 * seat : 5 * seat + 5] for seat in range(rules.seats)],
        "rest": list(pack[5 * rules.seats :]),
        "steps": steps,
    }
    if phase_text(table) == "over":
        record["result"] = result_of(table, rules)
    if match is not None:
        record["match"] = match
    return record
