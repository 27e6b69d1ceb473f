"""One frozen `Rules` a game: every house rule and score constant, validated once, and the six profiles as values.

A rules source is a profile name (``"ohio"``), a YAML file (``base: ohio`` and what differs), a mapping of that form, or
a `Rules`. Points are always counted toward the target: a made trick is +1, a penalty of 5 is -5, in every profile.
"""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

from buck_env.base.errors import BuckError, RulesError
from buck_env.base.yaml import no_such_key, read_yaml
from buck_env.game.table import PHASES, Phase

__all__ = ["PROFILES", "RULES", "Rules", "RulesSource", "explain_fields", "load_rules"]

_BASES = ("ohio", "stick-the-dealer", "dirty-clubs", "bucked", "bucked-3", "cutthroat")

Points = Annotated[int, Field(ge=-100, le=100)]
Penalty = Annotated[int, Field(ge=0, le=100)]
Score = Annotated[int, Field(ge=-1000, le=1000)]
Tricks = Annotated[int, Field(ge=0, le=5)]
Bid = Annotated[int, Field(ge=1, le=8)]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class Rules:
    """The rules of one house. The defaults are `ohio`; [C] marks a choice its source leaves open."""

    base: str = "ohio"
    """The profile these rules are, or were derived from."""
    seats: Literal[3, 4] = 4
    """How many play, each alone."""

    start: Score = 25
    """Everybody's score at the start of a match."""
    target: Score = 0
    """The score that wins; scores run down to it where the start is higher, else up."""
    hands: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """Another format: after so many hands, redeals not counted, the best score wins."""
    target_in_hands: bool = False
    """[C] With `hands`, whether reaching the target ends the match too."""
    sweep_wins: bool = True
    """All five tricks win the match at once, from any score."""
    tie: Literal["share", "eldest", "play_on"] = "share"
    """[C] Equal best totals share the match, go to the first of them from the dealer's left, or play on."""
    first_dealer: Literal["random"] | Annotated[int, Field(ge=0, le=3)] = "random"
    """[C] The first dealer of a match."""

    turn_up: bool = True
    """The top card beside the hands is turned."""
    forced_clubs: bool = True
    """A club turned makes clubs trump: everyone plays, nobody undertakes."""
    exchange: Literal["none", "first", "every"] = "none"
    """[C] Who may exchange a hand for the widow: nobody, until the first takes it, or every seat in turn, each
    taking the hand the last one laid down."""

    making: Literal["order", "bid", "dealer"] = "order"
    """Who makes trump: two circuits over the upcard, an auction, or the dealer, stuck with the buck."""
    pick_up: bool = True
    """[C] On an order the dealer takes the upcard and discards one of six."""
    discard: Literal["before_stay", "after_stay"] = "before_stay"
    """[C] When it does; after the stay round a dealer who dropped discards nothing."""
    no_trump: bool = False
    """Whether `name:NT` is allowed where a suit is named."""
    bid_min: Bid = 2
    """[C] The auction's lowest bid."""
    bid_max: Bid = 5
    """[C] The auction's highest bid; more than the five tricks there are is a bid that must fail."""
    bid_circuits: Literal["one", "many"] = "one"
    """Every seat acts once, or the auction goes round until all but the bidder pass in a row."""
    all_pass: Literal["redeal", "no_trump"] = "no_trump"
    """[C] When nobody makes trump: a redeal, or no-trump, everyone plays and nobody undertakes."""

    may_drop: bool = True
    """Whether all but the maker may drop; on a hand without a maker nobody may."""
    stay_from: Literal["maker", "dealer"] = "maker"
    """[C] The stay round starts at the left of the maker, or of the dealer."""
    forced_stay: Score | None = None
    """A seat whose score is at or below this may not drop."""
    walkover: Literal["tricks", "points", "nothing"] = "tricks"
    """[C] What a maker whom all others leave scores: five tricks (a sweep where `sweep_wins`), fixed points, or 0."""
    walkover_points: Points = 5
    """What `walkover: points` is worth; five tricks are worth five, whatever was bid."""

    lead: Literal["dealer", "maker"] = "dealer"
    """[C] The first active seat at the dealer's left leads, or the maker where there is one."""
    illegal_play: Literal["refuse", "renege"] = "refuse"
    """[C] A card that does not follow suit is refused, or costs its seat the hand."""

    maker_needs: Tricks | Literal["bid"] = 3
    """Tricks that a maker must take."""
    stayer_needs: Tricks = 1
    """Tricks that every other seat that plays must take."""
    maker_penalty: Penalty = 5
    """[C] Points away from the target for a maker with too few tricks."""
    stayer_penalty: Penalty = 5
    """[C] Points away from the target for any other seat that plays with too few."""
    renege_penalty: Penalty = 5
    """[C] Points away from the target for a renege."""
    drop_points: Points = 0
    """Points toward the target for a seat that drops."""

    @model_validator(mode="after")
    def _possible(self) -> Rules:
        for wrong, key, allowed in (
            (self.base not in _BASES, "base", ", ".join(_BASES)),
            (self.start == self.target, "target", f"a score other than start ({self.start})"),
            (
                isinstance(self.first_dealer, int) and self.first_dealer >= self.seats,
                "first_dealer",
                f"random, or a seat 0..{self.seats - 1}",
            ),
            (self.making == "order" and not self.turn_up, "turn_up", "true where making is order"),
            (self.making == "dealer" and self.turn_up, "turn_up", "false where making is dealer"),
            (self.forced_clubs and not self.turn_up, "forced_clubs", "false where nothing is turned (turn_up: false)"),
            (
                self.exchange != "none" and (self.seats != 3 or self.turn_up or self.making != "bid"),
                "exchange",
                "none, unless seats is 3, making is bid and turn_up is false",
            ),
            (
                self.pick_up and self.making != "order",
                "pick_up",
                f"false where making is {self.making}",
            ),
            (
                (self.maker_needs == "bid") != (self.making == "bid"),
                "maker_needs",
                "bid where making is bid, and a number of tricks 0..5 elsewhere",
            ),
            (self.bid_min > self.bid_max, "bid_min", f"at most bid_max ({self.bid_max})"),
            (
                self.may_drop and self.making == "dealer",
                "may_drop",
                "false where making is dealer (there is no maker to leave alone)",
            ),
            (
                self.target_in_hands and self.hands is None,
                "target_in_hands",
                "false, unless hands is set",
            ),
        ):
            if wrong:
                raise ValueError(f"{key}: {getattr(self, key)!r} is impossible here; allowed: {allowed}")
        return self

    @property
    def name(self) -> str:
        """The profile's name, or the base and what differs: ``"bucked, target 15"``."""
        return ", ".join([self.base, *(f"{key} {value}" for key, value in self.differences().items())])

    @property
    def toward(self) -> int:
        """+1 where scores run up, -1 where they run down."""
        return 1 if self.target > self.start else -1

    def differences(self) -> dict[str, Any]:
        """The fields that differ from the base profile, in the order of the class."""
        profile = PROFILES[self.base]
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(profile, field.name)
        }

    def as_record(self) -> str | dict[str, Any]:
        """The rules as a hand record names them: the profile, or ``{"base": …, what differs}``."""
        different = self.differences()
        return {"base": self.base, **different} if different else self.base

    def as_dict(self) -> dict[str, Any]:
        """Every field in full."""
        return asdict(self)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases in which these rules may ask for a decision, in the order of a hand."""
        asked = {
            Phase.EXCHANGE: self.exchange != "none",
            Phase.ORDER: self.making == "order",
            Phase.CALL: self.making == "order",
            Phase.BID: self.making == "bid",
            Phase.DISCARD: self.pick_up or self.making == "dealer",
            Phase.NAME: self.making != "order",
            Phase.STAY: self.may_drop,
            Phase.PLAY: True,
        }
        return tuple(PHASES[phase] for phase in asked if asked[phase])

    def packed(self) -> np.ndarray:
        """The rules as the engine reads them: one `RULES` record of small integers, shape (1,). Not to be changed."""
        return _packed(self)


@cache
def _packed(rules: Rules) -> np.ndarray:
    record = np.zeros(1, RULES)
    for name in RULES.names or ():
        value = getattr(rules, name)
        if name in _OPTIONS:
            value = _OPTIONS[name].index(value)
        elif name in _NONE:
            value = _NONE[name] if value in (None, "bid") else value
        record[name] = value
    return record


_OPTIONS = {
    name: get_args(hint)
    for name, hint in get_type_hints(Rules).items()
    if get_origin(hint) is Literal and name != "seats"
}
_NONE = {"hands": 0, "forced_stay": -(2**31), "maker_needs": 0}

TIE_SHARE, TIE_ELDEST, TIE_PLAY_ON = range(3)
EXCHANGE_NONE, EXCHANGE_FIRST, EXCHANGE_EVERY = range(3)
MAKING_ORDER, MAKING_BID, MAKING_DEALER = range(3)
DISCARD_BEFORE_STAY, DISCARD_AFTER_STAY = range(2)
CIRCUITS_ONE, CIRCUITS_MANY = range(2)
ALL_PASS_REDEAL, ALL_PASS_NO_TRUMP = range(2)
STAY_FROM_MAKER, STAY_FROM_DEALER = range(2)
WALKOVER_TRICKS, WALKOVER_POINTS, WALKOVER_NOTHING = range(3)
LEAD_DEALER, LEAD_MAKER = range(2)
ILLEGAL_REFUSE, ILLEGAL_RENEGE = range(2)

RULES = np.dtype(
    (
        np.record,
        [
            *((name, "i4") for name in ("start", "target", "hands", "forced_stay")),
            *(
                (name, "i1")
                for name in (
                    "seats", "toward", "target_in_hands", "sweep_wins", "tie", "turn_up", "forced_clubs", "exchange",
                    "making", "pick_up", "discard", "no_trump", "bid_min", "bid_max", "bid_circuits", "all_pass",
                    "may_drop", "stay_from", "walkover", "walkover_points", "lead", "illegal_play", "maker_needs",
                    "stayer_needs", "maker_penalty", "stayer_penalty", "renege_penalty", "drop_points",
                )
            ),
        ],
    )
)  # fmt: skip
"""`Rules` as the engine reads them. An option is its place among those allowed; `hands` 0: no limit; `forced_stay`
below every score: nobody is forced; `maker_needs` 0 with `making` bid: the bid."""


def _profiles() -> dict[str, Rules]:
    ohio = Rules()
    stick = Rules(
        base="stick-the-dealer",
        start=0,
        target=15,
        sweep_wins=False,
        turn_up=False,
        forced_clubs=False,
        making="dealer",
        pick_up=False,
        no_trump=True,
        may_drop=False,
        maker_needs=1,
    )
    dirty_clubs = Rules(
        base="dirty-clubs",
        start=15,
        sweep_wins=False,
        making="bid",
        pick_up=False,
        all_pass="redeal",
        lead="maker",
        maker_needs="bid",
    )
    bucked = Rules(
        base="bucked",
        start=0,
        target=10,
        sweep_wins=False,
        forced_clubs=False,
        pick_up=False,
        all_pass="redeal",
        stayer_needs=3,
    )
    cutthroat = Rules(
        base="cutthroat",
        seats=3,
        start=15,
        sweep_wins=False,
        turn_up=False,
        forced_clubs=False,
        exchange="first",
        making="bid",
        pick_up=False,
        no_trump=True,
        bid_min=1,
        bid_max=8,
        bid_circuits="many",
        all_pass="redeal",
        forced_stay=5,
        lead="maker",
        maker_needs="bid",
    )
    three = replace(bucked, base="bucked-3", seats=3)
    return {rules.base: rules for rules in (ohio, stick, dirty_clubs, bucked, three, cutthroat)}  # fmt: skip


PROFILES: Mapping[str, Rules] = MappingProxyType(_profiles())
"""The six profiles of the five sources by name."""


def explain_fields() -> dict[str, tuple[str, str]]:
    """Every field but `base`: what it admits, and what it means."""
    hints = get_type_hints(Rules, include_extras=True)
    (written,) = ast.parse(inspect.getsource(Rules)).body
    assert isinstance(written, ast.ClassDef)
    meanings = {
        field.target.id: " ".join(told.value.value.split())
        for field, told in pairwise(written.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(told, ast.Expr) and isinstance(told.value, ast.Constant) and isinstance(told.value.value, str)
    }
    return {name: (_allowed(hints[name]), meaning) for name, meaning in meanings.items() if name != "base"}


RulesSource = str | os.PathLike[str] | Mapping[str, Any] | Rules
"""A profile name, a YAML file, a mapping with a `base`, or a `Rules`."""


def load_rules(source: RulesSource = "ohio") -> Rules:
    """The rules of a profile name, a YAML file, a mapping with a `base`, or a `Rules`.

    RulesError names the file, the key, the value and what is allowed.
    """
    if isinstance(source, Rules):
        return source
    if isinstance(source, str) and source in PROFILES:
        return PROFILES[source]
    if isinstance(source, Mapping):
        return _derive(dict(source), "rules")
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if path.suffix in (".yaml", ".yml") or _is_file(path):
            try:
                return _derive(read_yaml(path), str(path))
            except RulesError:
                raise
            except BuckError as error:
                raise RulesError(str(error)) from None
    raise RulesError(f"rules: {source!r} is not known; allowed: {', '.join(PROFILES)}, or a YAML file with a `base`")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no name that a file can have
        return False


def _derive(values: dict[str, Any], where: str) -> Rules:
    if "base" not in values:
        raise RulesError(f"{where}: says no base; add a line, as in `base: ohio`; allowed: {', '.join(PROFILES)}")
    base = values.pop("base")
    if not isinstance(base, str) or base not in PROFILES:
        raise RulesError(f"{where}: base: {base!r} is not a profile; allowed: {', '.join(PROFILES)}")
    known = [field.name for field in fields(Rules) if field.name != "base"]
    for key in values:
        if key not in known:
            raise RulesError(no_such_key(where, key, values[key], known))
    try:
        return Rules(**{**PROFILES[base].as_dict(), **values})
    except ValidationError as error:
        raise RulesError("; ".join(dict.fromkeys(_explain(where, e) for e in error.errors()))) from None


def _explain(where: str, error: Any) -> str:
    if not error["loc"]:
        return f"{where}: {error['msg'].removeprefix('Value error, ')}"
    key = str(error["loc"][0])
    allowed = _allowed(get_type_hints(Rules, include_extras=True)[key])
    return f"{where}: {key}: {error['input']!r} is not allowed; allowed: {allowed}"


def _allowed(hint: Any) -> str:
    """What a field's type admits, in words."""
    if hint is type(None):
        return "null"
    if hint is bool:
        return "true, false"
    if get_origin(hint) is Literal:
        return ", ".join(str(option) for option in get_args(hint))
    if get_origin(hint) is Annotated:
        limits = next(item for item in get_args(hint)[1:] if isinstance(item, FieldInfo)).metadata
        low, high = (getattr(limit, name) for limit, name in zip(limits, ("ge", "le"), strict=True))
        return f"a whole number {low} to {high}"
    return ", ".join(_allowed(part) for part in get_args(hint))
