"""A second rules engine, slow and plain, written from the rules text alone: the fast engine is checked against it.

A hand is told from top to bottom by one coroutine, `Hand._course`: each ``yield`` is one decision of one seat. Cards
are two letters (``"9C"``), actions the texts of the hand records (``"play:9C"``), and nothing is shared with the
engine but `Rules`, the house rules as data.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from buck_env.game.rules import Rules

__all__ = ["PACK", "Hand", "play_random", "replay"]

SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in "9TJQKA"]
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
HAND_SIZE = 5
BUCK_SIZE = 4


def suit_of(card: str, trump: str) -> str:
    """The suit a card belongs to: the left bower is a trump for every purpose; at no-trump all jacks are plain."""
    rank, suit = card[0], card[1]
    return trump if rank == "J" and SAME_COLOUR[suit] == trump else suit


def strength(card: str, trump: str, led: str) -> int:
    """What wins a trick: right bower, left bower, A K Q T 9 of trump, then A K Q J T 9 of the led suit; else 0."""
    rank, suit = card[0], card[1]
    if suit_of(card, trump) == trump:
        if rank == "J":
            return 201 if suit == trump else 200
        return 100 + "9TQKA".index(rank)
    return 1 + "9TJQKA".index(rank) if suit == led else 0


class Decision(NamedTuple):
    """One seat has to act. `legal` are the proper actions; `also` those that are possible but cost a renege."""

    seat: int
    phase: str
    legal: list[str]
    also: list[str]


Course = Generator[Decision, str, None]


def ask(seat: int, phase: str, legal: list[str], also: list[str] | None = None) -> Generator[Decision, str, str]:
    """Ask a seat; its answer is the action's text."""
    return (yield Decision(seat, phase, sorted(legal), also or []))


class Hand:
    """One hand of one house, from the cards as dealt to the result.

    `hands_played` counts the scored hands of the match before this one. `phase` and `seat` say who acts, both None
    once the hand is over.
    """

    phase: str | None
    seat: int | None

    def __init__(
        self,
        rules: Rules,
        hands: list[list[str]],
        rest: list[str],
        dealer: int,
        scores: list[int],
        hands_played: int = 0,
    ) -> None:
        self.rules = rules
        self.seats = rules.seats
        self.hands = [[_text(card) for card in hand] for hand in hands]
        self.rest = [_text(card) for card in rest]
        self.dealer = dealer
        self.scores = list(scores)
        self.hands_played = hands_played
        if [len(hand) for hand in self.hands] != [HAND_SIZE] * self.seats:
            raise ValueError(f"{self.seats} hands of {HAND_SIZE} cards are wanted, not {self.hands}")
        if sorted(sum(self.hands, self.rest)) != sorted(PACK):
            raise ValueError("hands and rest together are not the pack of 24 cards")
        if len(self.scores) != self.seats or dealer not in range(self.seats):
            raise ValueError(f"{self.seats} scores and a dealer among the seats are wanted, not {scores} and {dealer}")

        self.maker: int | None = None
        self.bid = 0
        self.taken_up: str | None = None  # the upcard, once the dealer has it
        self.trump: str | None = None  # a suit, or "NT"; None until it is made, and on a redeal
        self.stayed = [True] * self.seats
        self.reneged = [False] * self.seats
        self.tricks = [0] * self.seats
        self.walkover = False

        self._run = self._course()
        self._decision: Decision | None = None
        self._advance(None)

    # -- from outside ---------------------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """The proper actions as record texts, sorted; empty once the hand is over."""
        return list(self._decision.legal) if self._decision else []

    def act(self, text: str) -> None:
        """Take the seat's action; ValueError, and nothing changes, where it is not legal."""
        text = _text(text)
        if self._decision is None:
            raise ValueError(f"{text!r}: the hand is over")
        if text not in self._decision.legal + self._decision.also:
            raise ValueError(
                f"{text!r} is not legal for seat {self.seat} in {self.phase}; legal: {self._decision.legal}"
            )
        self._advance(text)

    def result(self) -> dict[str, Any]:
        """The record's ``result`` object of a hand that is over."""
        if self._decision is not None:
            raise ValueError(f"the hand is not over: seat {self.seat} has to act in {self.phase}")
        redeal = self.trump is None
        deltas = [0 if redeal else self.rules.toward * self.points(seat) for seat in range(self.seats)]
        scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        return {
            "redeal": redeal,
            "maker": self.maker,
            "trump": self.trump,
            "stayed": list(self.stayed),
            "tricks": list(self.tricks),
            "deltas": deltas,
            "scores": scores,
            "winners": [] if redeal else self._winners(scores),
        }

    def _advance(self, answer: str | None) -> None:
        try:
            self._decision = next(self._run) if answer is None else self._run.send(answer)
        except StopIteration:
            self._decision = None
        self.phase = self._decision.phase if self._decision else None
        self.seat = self._decision.seat if self._decision else None

    # -- the course of a hand -------------------------------------------------------------------------------------

    def _course(self) -> Course:
        if self.rules.exchange != "none":
            yield from self._exchange()
        yield from self._make_trump()
        if self.trump is None:
            return  # a redeal
        if self.maker is not None and self.rules.may_drop:
            yield from self._stay_or_drop()
        if self.maker is not None and self._active() == [self.maker]:
            self.walkover = True
            if self.rules.walkover == "tricks":
                self.tricks[self.maker] = HAND_SIZE
            return
        # `discard: after_stay`: the dealer still holds six cards; one that dropped keeps them.
        if len(self.hands[self.dealer]) > HAND_SIZE and self.stayed[self.dealer]:
            yield from self._discard()
        yield from self._play()

    def _exchange(self) -> Course:
        """Dealer's right, dealer, dealer's left: each may take the five face-down cards and lay down its own hand.

        The first taker ends it, or every seat is asked and takes the hand that the last taker laid down.
        """
        face_down = self.rest[:HAND_SIZE]
        for seat in self._clockwise(self.dealer - 1):
            if (yield from ask(seat, "exchange", ["exchange", "keep"])) == "exchange":
                self.hands[seat], face_down = face_down, self.hands[seat]
                if self.rules.exchange == "first":
                    return

    def _make_trump(self) -> Course:
        """Set trump and, where a seat undertakes, the maker; both stay None when the hand is to be dealt again."""
        if self.rules.forced_clubs and self.rest[0][1] == "C":
            self.trump = "C"  # a club turned: clubs are trump, everyone plays, nobody undertakes
            return
        if self.rules.making == "order":
            yield from self._order_or_call()
        elif self.rules.making == "bid":
            yield from self._auction()
        else:
            yield from self._stuck_dealer()
        if self.trump is None and self.rules.all_pass == "no_trump":
            self.trump = "NT"  # everyone plays, nobody undertakes

    def _order_or_call(self) -> Course:
        """Two circuits from the dealer's left: order the upcard's suit, then name another. The first to do so makes."""
        upcard = self.rest[0]
        turned = upcard[1]
        for seat in self._clockwise(self.dealer + 1):
            if (yield from ask(seat, "order", ["order", "pass"])) == "order":
                self.maker, self.trump = seat, turned
                if self.rules.pick_up:
                    self.hands[self.dealer].append(upcard)
                    self.taken_up = upcard
                    if self.rules.discard == "before_stay":
                        yield from self._discard()
                return
        for seat in self._clockwise(self.dealer + 1):
            deals = seat == self.dealer
            free = self.rules.turned_down == "anyone" or (self.rules.turned_down == "dealer" and deals)
            stuck = self.rules.all_pass == "stick_dealer" and deals
            names = self._names(but="" if free else turned)
            answer = yield from ask(seat, "call", names if stuck else ["pass", *names])
            if answer != "pass":
                self.maker, self.trump = seat, _after_colon(answer)
                return

    def _auction(self) -> Course:
        """Bids from the dealer's left, each higher than the last; the highest bidder names trump.

        One circuit: every seat acts once. Many: who passed may bid again, until all the others have passed in a row
        after a bid, or everybody has and nobody bid. Who can bid no higher still has to pass.
        """
        highest, bidder = 0, None
        passes_in_a_row = asked = 0
        while True:
            seat = (self.dealer + 1 + asked) % self.seats
            lowest = max(self.rules.bid_min, highest + 1)
            bids = [f"bid:{number}" for number in range(lowest, self.rules.bid_max + 1)]
            answer = yield from ask(seat, "bid", [*bids, "pass"])
            asked += 1
            if answer == "pass":
                passes_in_a_row += 1
            else:
                passes_in_a_row = 0
                highest, bidder = int(_after_colon(answer)), seat
            if self.rules.bid_circuits == "one":
                over = asked == self.seats
            else:
                over = passes_in_a_row == (self.seats if bidder is None else self.seats - 1)
            if over:
                break
        if bidder is not None:
            self.maker, self.bid = bidder, highest
            self.trump = _after_colon((yield from ask(bidder, "name", self._names())))

    def _stuck_dealer(self) -> Course:
        """The dealer takes the buck, lays four of the nine cards away, and names trump. It undertakes nothing."""
        self.hands[self.dealer] += self.rest[:BUCK_SIZE]
        for _ in range(BUCK_SIZE):
            yield from self._discard()
        self.trump = _after_colon((yield from ask(self.dealer, "name", self._names())))

    def _discard(self) -> Course:
        """The dealer lays one card away, any it holds; a house may except the upcard it has just taken."""
        cards = self.hands[self.dealer]
        free = [card for card in cards if self.rules.discard_upcard or card != self.taken_up]
        answer = yield from ask(self.dealer, "discard", [f"discard:{card}" for card in free])
        cards.remove(_after_colon(answer))

    def _stay_or_drop(self) -> Course:
        """Every seat but the maker, from the left of the maker or of the dealer; a low score may bind it to stay."""
        assert self.maker is not None
        first = self.maker if self.rules.stay_from == "maker" else self.dealer
        for seat in self._clockwise(first + 1):
            if seat == self.maker:
                continue
            bound = self.rules.forced_stay is not None and self.scores[seat] <= self.rules.forced_stay
            answer = yield from ask(seat, "stay", ["stay"] if bound else ["drop", "stay"])
            self.stayed[seat] = answer == "stay"

    def _play(self) -> Course:
        """Five tricks. The maker leads where the house says so and there is one, else the first from the dealer."""
        if self.rules.lead == "maker" and self.maker is not None:
            leader = self.maker
        else:
            leader = next(seat for seat in self._clockwise(self.dealer + 1) if self.stayed[seat])
        while sum(self.tricks) < HAND_SIZE:
            leader = yield from self._trick(leader)  # the winner leads next

    def _trick(self, leader: int) -> Generator[Decision, str, int]:
        """One trick, clockwise from the leader; its winner."""
        assert self.trump is not None
        led = ""
        table: dict[int, str] = {}  # the cards that may win: a card that reneged cannot
        for seat in self._clockwise(leader):
            if seat not in self._active():
                continue
            held = self.hands[seat]
            # Follow the led suit if able, otherwise any card.
            proper = [card for card in held if suit_of(card, self.trump) == led] or held
            reneging = [card for card in held if card not in proper] if self.rules.illegal_play == "renege" else []
            answer = yield from ask(
                seat, "play", [f"play:{card}" for card in proper], [f"play:{card}" for card in reneging]
            )
            card = _after_colon(answer)
            held.remove(card)
            if card in reneging:
                self.reneged[seat] = True
                if len(self._active()) == 1:
                    # A last remaining seat takes the rest of the tricks, this one included.
                    (last,) = self._active()
                    self.tricks[last] += HAND_SIZE - sum(self.tricks)
                    return last
                continue
            table[seat] = card
            led = led or suit_of(card, self.trump)
        winner = max(table, key=lambda seat: strength(table[seat], self.trump or "", led))
        self.tricks[winner] += 1
        return winner

    # -- the score ------------------------------------------------------------------------------------------------

    def points(self, seat: int) -> int:
        """A seat's points toward the target."""
        rules = self.rules
        if self.reneged[seat]:
            return -rules.renege_penalty  # whatever it has won or bid
        if not self.stayed[seat]:
            return rules.drop_points
        if self.walkover and rules.walkover != "tricks":  # the seat is the maker whom all others left
            return {"points": rules.walkover_points, "nothing": 0}[rules.walkover]
        if seat == self.maker:
            needs = self.bid if rules.maker_needs == "bid" else rules.maker_needs
            penalty = rules.maker_penalty
        else:
            needs, penalty = rules.stayer_needs, rules.stayer_penalty
        if self.tricks[seat] < needs and not self.walkover:
            return -penalty  # once: the tricks do not count
        if seat == self.maker and rules.made_contract == "bid":
            return min(self.bid, self.tricks[seat])
        return self.tricks[seat]  # a walkover's five also where more was bid

    def _winners(self, scores: list[int]) -> list[int]:
        """Who has won the match with this hand; empty while it goes on."""
        rules = self.rules
        if rules.sweep_wins and HAND_SIZE in self.tricks:
            return [self.tricks.index(HAND_SIZE)]  # beats every total
        at_target = any(rules.toward * (score - rules.target) >= 0 for score in scores)
        if rules.hands is None:
            over = at_target
        else:
            over = self.hands_played + 1 >= rules.hands or (rules.target_in_hands and at_target)
        if not over:
            return []
        best = max(scores) if rules.toward > 0 else min(scores)
        tied = [seat for seat in range(self.seats) if scores[seat] == best]
        if len(tied) == 1 or rules.tie == "share":
            return tied
        if rules.tie == "eldest":
            return [next(seat for seat in self._clockwise(self.dealer + 1) if seat in tied)]
        return []  # play on

    # -- small things ---------------------------------------------------------------------------------------------

    def _clockwise(self, first: int) -> Iterator[int]:
        """Every seat once, clockwise from `first`."""
        return (seat % self.seats for seat in range(first, first + self.seats))

    def _active(self) -> list[int]:
        """The seats that still play: neither dropped nor reneged."""
        return [seat for seat in range(self.seats) if self.stayed[seat] and not self.reneged[seat]]

    def _names(self, but: str = "") -> list[str]:
        """The trumps a seat may name, but for the suit turned down."""
        trumps = [suit for suit in SUITS if suit != but] + (["NT"] if self.rules.no_trump else [])
        return [f"name:{trump}" for trump in trumps]


def _after_colon(text: str) -> str:
    return text.partition(":")[2]


def _text(text: str) -> str:
    """A card or an action as records write it: the ten is ``T``, but ``10H`` is read too."""
    return text.replace("10", "T")


# -- whole records ------------------------------------------------------------------------------------------------


def replay(record: dict[str, Any], rules: Rules, hands_played: int = 0) -> list[str]:
    """The differences, in words, between a hand record and this engine; none when they agree.

    It stops where the record can no longer be followed. Records do not say how many hands were scored before
    (it matters with `Rules.hands` only): `hands_played` does.
    """
    hand = Hand(rules, record["hands"], record["rest"], record["dealer"], record["scores"], hands_played)
    differences: list[str] = []
    for number, step in enumerate(record["steps"]):
        here = f"step {number}"
        if hand.phase is None:
            return [*differences, f"{here}: the record has seat {step['seat']} {step['action']}, but the hand is over"]
        for key, own in (("seat", hand.seat), ("phase", hand.phase), ("legal", hand.legal())):
            if step[key] != own:
                differences.append(f"{here}: {key} is {step[key]} in the record, {own} here")
        if (step["seat"], step["phase"]) != (hand.seat, hand.phase):
            return differences
        try:
            hand.act(step["action"])
        except ValueError as error:
            return [*differences, f"{here}: {error}"]
    if hand.phase is not None:
        return [*differences, f"the record ends, but seat {hand.seat} has to act in {hand.phase}"]
    result = hand.result()
    for key in [*result, *(key for key in record["result"] if key not in result)]:
        recorded, own = record["result"].get(key, "missing"), result.get(key, "missing")
        if recorded != own:
            differences.append(f"result: {key} is {recorded} in the record, {own} here")
    return differences


def play_random(
    rules: Rules,
    rng: random.Random,
    dealer: int | None = None,
    scores: list[int] | None = None,
    hands_played: int = 0,
    renege: float = 0.15,
) -> dict[str, Any]:
    """Deal a random hand, play it at random, and return its complete record.

    Where the house lets a seat renege, it does so in `renege` of its chances.
    """
    pack = rng.sample(PACK, len(PACK))
    hands = [pack[HAND_SIZE * seat : HAND_SIZE * (seat + 1)] for seat in range(rules.seats)]
    rest = pack[HAND_SIZE * rules.seats :]
    dealer = rng.randrange(rules.seats) if dealer is None else dealer
    scores = random_scores(rules, rng) if scores is None else list(scores)

    hand = Hand(rules, hands, rest, dealer, scores, hands_played)
    steps = []
    while hand.phase is not None:
        assert hand.seat is not None
        legal = hand.legal()
        action = _random_action(hand, rng, renege)
        steps.append({"seat": hand.seat, "phase": hand.phase, "legal": legal, "action": action})
        hand.act(action)
    return {
        "rules": rules.as_record(),
        "dealer": dealer,
        "scores": scores,
        "hands": hands,
        "rest": rest,
        "steps": steps,
        "result": hand.result(),
    }


def random_scores(rules: Rules, rng: random.Random) -> list[int]:
    """Scores of a match that is not over: from one point short of the target to well behind the start.

    Half of the matches are close to the end, where ties and forced stays happen. Where a match goes on past the
    target, some seats are past it: any seat with `hands`, the tied leaders with `tie: play_on`.
    """
    whole_way = abs(rules.start - rules.target)
    farthest = rng.choice([4, whole_way + 12])
    past = rules.hands is not None and not rules.target_in_hands
    behind = [rng.randint(-5 if past else 1, farthest) for _ in range(rules.seats)]
    if rules.tie == "play_on" and rng.random() < 0.25:
        best = rng.randint(-5, 0)
        for seat in rng.sample(range(rules.seats), 2):
            behind[seat] = best
    return [rules.target - rules.toward * distance for distance in behind]


def _random_action(hand: Hand, rng: random.Random, renege: float) -> str:
    """A uniform choice, but a coin decides whether to pass, and low bids are likelier, so that auctions are long."""
    assert hand._decision is not None
    legal, also = hand._decision.legal, hand._decision.also
    if also and rng.random() < renege:
        return rng.choice(also)
    if "pass" in legal:
        others = [action for action in legal if action != "pass"]
        if not others or rng.random() < 0.5:
            return "pass"
        return min(rng.choice(others), rng.choice(others)) if hand.phase == "bid" else rng.choice(others)
    return rng.choice(legal)
