"""One frozen `Rules` a game: every house rule and score constant, validated once.

Points are always counted toward the target: a made trick is +1, a penalty of 5 is -5, in every profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from buck_env.base.errors import SettingError
from buck_env.base.yaml import in_yaml, quoted
from buck_env.game.options import (
    PHASES,
    AllPass,
    BidCircuits,
    Discard,
    Exchange,
    IllegalPlay,
    Lead,
    MadeContract,
    Making,
    Option,
    Phase,
    StayFrom,
    Tie,
    TurnedDown,
    Walkover,
)
from buck_env.game.profiles import DIFFERENCES

if TYPE_CHECKING:
    import numpy as np

__all__ = ["PROFILES", "Rules"]

Points = Annotated[int, Field(ge=-100, le=100)]
Penalty = Annotated[int, Field(ge=0, le=100)]
Score = Annotated[int, Field(ge=-1000, le=1000)]
Tricks = Annotated[int, Field(ge=0, le=5)]
Bid = Annotated[int, Field(ge=1, le=8)]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
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
    tie: Tie = Tie.SHARE
    """[C] Equal best totals share the match, go to the first of them from the dealer's left, or play on."""
    first_dealer: Literal["random"] | Annotated[int, Field(ge=0, le=3)] = "random"
    """[C] The first dealer of a match."""

    turn_up: bool = True
    """The top card beside the hands is turned."""
    forced_clubs: bool = True
    """A club turned makes clubs trump: everyone plays, nobody undertakes."""
    exchange: Exchange = Exchange.NONE
    """[C] Who may exchange a hand for the widow: nobody, until the first takes it, or every seat in turn, each
    taking the hand the last one laid down."""

    making: Making = Making.ORDER
    """Who makes trump: two circuits over the upcard, an auction, or the dealer, stuck with the buck."""
    pick_up: bool = True
    """[C] On an order the dealer takes the upcard and discards one of six."""
    discard: Discard = Discard.BEFORE_STAY
    """[C] When it does; after the stay round a dealer who dropped discards nothing."""
    discard_upcard: bool = True
    """[C] Whether the dealer may discard the upcard that it has just taken."""
    no_trump: bool = False
    """Whether `name:NT` is allowed where a suit is named."""
    bid_min: Bid = 2
    """[C] The auction's lowest bid."""
    bid_max: Bid = 5
    """[C] The auction's highest bid; more than the five tricks there are is a bid that must fail."""
    bid_circuits: BidCircuits = BidCircuits.ONE
    """Every seat acts once, or the auction goes round until all but the bidder pass in a row."""
    all_pass: AllPass = AllPass.NO_TRUMP
    """[C] When nobody makes trump: a redeal; or no-trump, everyone plays and nobody undertakes; or with `order` nobody
    can pass that far, because the dealer, last to be asked in `call`, must name a trump."""
    turned_down: TurnedDown = TurnedDown.NOBODY
    """[C] Who may name the suit turned down when it is called: nobody, the dealer alone, or anyone."""

    may_drop: bool = True
    """Whether all but the maker may drop; on a hand without a maker nobody may."""
    stay_from: StayFrom = StayFrom.MAKER
    """[C] The stay round starts at the left of the maker, or of the dealer."""
    forced_stay: Score | None = None
    """A seat whose score is at or below this may not drop."""
    walkover: Walkover = Walkover.TRICKS
    """[C] What a maker whom all others leave scores: five tricks (a sweep where `sweep_wins`), fixed points, or 0."""
    walkover_points: Points = 5
    """What `walkover: points` is worth; five tricks are worth five, whatever was bid."""
    made_contract: MadeContract = MadeContract.TRICKS
    """[C] What a bidder who takes enough tricks scores: each of them, or only what was bid, also in a walkover of five
    tricks, since being left alone should not bring more than playing."""

    lead: Lead = Lead.DEALER
    """[C] The first active seat at the dealer's left leads, or the maker where there is one."""
    illegal_play: IllegalPlay = IllegalPlay.REFUSE
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
        orders, bids, stuck = (self.making is way for way in (Making.ORDER, Making.BID, Making.DEALER))
        widow = self.seats == 3 and bids and not self.turn_up
        elsewhere = f"where making is {self.making}"
        for wrong, key, allowed in (
            (self.base not in DIFFERENCES, "base", ", ".join(DIFFERENCES)),
            (self.start == self.target, "target", f"a score other than start ({self.start})"),
            (
                isinstance(self.first_dealer, int) and self.first_dealer >= self.seats,
                "first_dealer",
                f"random, or a seat 0..{self.seats - 1}",
            ),
            (orders and not self.turn_up, "turn_up", "true where making is order"),
            (stuck and self.turn_up, "turn_up", "false where making is dealer"),
            (self.forced_clubs and not self.turn_up, "forced_clubs", "false where nothing is turned (turn_up: false)"),
            (
                self.exchange is not Exchange.NONE and not widow,
                "exchange",
                "none, unless seats is 3, making is bid and turn_up is false",
            ),
            (self.pick_up and not orders, "pick_up", f"false {elsewhere}"),
            (not self.discard_upcard and not self.pick_up, "discard_upcard", "true where pick_up is false"),
            (self.turned_down is not TurnedDown.NOBODY and not orders, "turned_down", f"nobody {elsewhere}"),
            (self.all_pass is AllPass.STICK_DEALER and not orders, "all_pass", f"redeal, no_trump {elsewhere}"),
            (self.made_contract is MadeContract.BID and not bids, "made_contract", f"tricks {elsewhere}"),
            (
                (self.maker_needs == "bid") != bids,
                "maker_needs",
                "bid where making is bid, and a number of tricks 0..5 elsewhere",
            ),
            (self.bid_min > self.bid_max, "bid_min", f"at most bid_max ({self.bid_max})"),
            (
                self.may_drop and stuck,
                "may_drop",
                "false where making is dealer (there is no maker to leave alone)",
            ),
            (self.target_in_hands and self.hands is None, "target_in_hands", "false, unless hands is set"),
        ):
            if wrong:
                raise SettingError(key, quoted(getattr(self, key)), allowed)
        return self

    @property
    def name(self) -> str:
        """The profile's name, or the base and what differs: ``"bucked, target 15"``."""
        return ", ".join([self.base, *(f"{key} {in_yaml(value)}" for key, value in self.differences().items())])

    @property
    def toward(self) -> int:
        """+1 where scores run up, -1 where they run down."""
        return 1 if self.target > self.start else -1

    def differences(self) -> dict[str, Any]:
        """The fields that differ from the base profile, in the order of the class (RULES §15.1)."""
        return {**self._differences}

    @cached_property
    def _differences(self) -> dict[str, Any]:
        profile = PROFILES[self.base]
        return {
            field.name: _plain(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != getattr(profile, field.name)
        }

    def as_record(self) -> str | dict[str, Any]:
        """The rules as a hand record names them: the profile, or ``{"base": …, what differs}``."""
        different = self._differences
        return {"base": self.base, **different} if different else self.base

    def as_dict(self) -> dict[str, Any]:
        """The fields in full, as bots, events and programs are given them.

        A field that older versions do not know is left out while it has its default, so that they can read the rest.
        """
        later = {name: default for name, default in _LATER.items() if getattr(self, name) == default}
        return {name: _plain(value) for name, value in asdict(self).items() if name not in later}

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases in which these rules may ask for a decision, in the order of a hand."""
        asked = {
            Phase.EXCHANGE: self.exchange is not Exchange.NONE,
            Phase.ORDER: self.making is Making.ORDER,
            Phase.CALL: self.making is Making.ORDER,
            Phase.BID: self.making is Making.BID,
            Phase.DISCARD: self.pick_up or self.making is Making.DEALER,
            Phase.NAME: self.making is not Making.ORDER,
            Phase.STAY: self.may_drop,
            Phase.PLAY: True,
        }
        return tuple(PHASES[phase] for phase in asked if asked[phase])

    def packed(self) -> np.ndarray:
        """The rules as the engine reads them: one record of small integers, shape (1,). Not to be changed."""
        return self._packed

    @cached_property
    def _packed(self) -> np.ndarray:
        from buck_env.game.packed import packed  # with numpy, which those who only read rules need not wait for

        return packed(self)


PROFILES: Mapping[str, Rules] = MappingProxyType({base: Rules(base=base, **DIFFERENCES[base]) for base in DIFFERENCES})
"""The six profiles of the five sources by name."""

_LATER = {
    field.name: field.default
    for field in fields(Rules)
    if field.name in ("discard_upcard", "turned_down", "made_contract")
}
"""The fields that version 0.1 does not know, with their defaults."""


def _plain(value: Any) -> Any:
    """An option as the text alone that files hold; any other value as it is."""
    return str(value) if isinstance(value, Option) else value
