"""Reasons of refusals of 18DO as players meet them: in whole games, by what can be spelled and by what was done just before."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from msgspec.structs import replace

from tests.builders.do_breweries import export, number
from tests.builders.do_expert import game as expert
from tests.builders.do_expert import shown, small, table
from tests.builders.do_positions import (
    NAMES,
    corporation,
    display,
    do_state,
    loaded,
    minor,
    position,
    rules,
    stock,
    tiles,
)
from tests.builders.do_positions import turn as rail
from tests.builders.random_positions import act, refused
from tests.judges.do_brewing import DoBrewing
from tests.judges.do_match import LINES, eager, ruleset_of
from tests.judges.do_spelled import spelled
from tests.judges.plain import moves, position_of, table_of
from trajekt.engine.actions import BuyTrain, Decline, LayTile
from trajekt.engine.decisions import refusal, start
from trajekt.games.do.actions import (
    BuildRailwayLink,
    BuyBec,
    BuyMarker,
    LoadTrain,
    PlaceFreeToken,
    TradeIn,
    UseEvent,
)
from trajekt.games.do.frames import Advertise, BreweryRound
from trajekt.games.do.refusals import WhyNot
from trajekt.games.do.title import TITLE
from trajekt.i18n.sentences import Speaker, catalogue, refusal_line

OF_A_KIND = 20  # actions of a kind that are tried in one position
LATELY = 12  # what was done last is tried again
GAMES = ((11, True), (2, True), (3, True), (1, False))
"""The Expert Game by seed, with few cards and much money or as it is."""

FULL, EXPERT = rules(), expert()
MET = {
    WhyNot.BACK_FOR_TWENTY: ("zurückgenommen", "may be taken back"),
    WhyNot.BUYS_OF_ANOTHER: ("selbst; gekauft wird", "itself; a marker is bought"),
    WhyNot.EVENT_FIELDS: ("wonach der Text fragt: ein", "what its text asks and nothing else: one"),
    WhyNot.EVENT_NOT_SHOWN: ("liegt nicht in der Auslage; es gibt die Ereignisse: ", "there are the events: "),
    WhyNot.FLOAT_SALE_LIMIT: ("höchstens 20 % verkaufen", "sell at most 20 %"),
    WhyNot.FOUNDED_AFTER: ("wird erst nach der DEEG gegründet", "is founded once DEEG has been"),
    WhyNot.FOUNDED_LATER: ("erst von der nächsten Aktienrunde an", "from the next stock round on"),
    WhyNot.FOUR_FLOATED: ("bisher sind es", "so far it is"),
    WhyNot.FREE_TOKEN_ON_MINE: ("keine solche", "is no such mine"),
    WhyNot.FROM_STOCK_OR_POOL: ("aus dem Gesellschaftsbestand oder dem Pool", "out of the company stock or the pool"),
    WhyNot.HAS_DELIVERED: ("hat geliefert", "has delivered"),
    WhyNot.HAS_NOT_DELIVERED: ("hat nichts geliefert", "has delivered nothing"),
    WhyNot.HELP_TOO_MUCH: ("die Hälfte des Preises; es fehlen", "half of the price"),
    WhyNot.HIGHEST_TOKEN: ("schon der höchste Standortmarker", "its highest location token already"),
    WhyNot.LARGEST_FIRST: ("das größte zuerst", "the largest first"),
    WhyNot.LOWER_TYPE_FIRST: ("sie kommen zuerst", "come first"),
    WhyNot.MARKER_COSTS: ("kostet in der Auslage", "in the display"),
    WhyNot.MARKER_NOT_HELD: ("vorhanden: ", "it holds: "),
    WhyNot.NO_EQUIPMENT: (
        "hat keine solche Ausrüstung; vorhanden sind die Typen: ",
        "has no such equipment; it holds types: ",
    ),
    WhyNot.NO_LOCATION_TOKEN: ("Zuerst wird dort ein Gleisanschluss gebaut", "linked with the railway net first"),
    WhyNot.NO_SUCH_CARD: ("es gibt: ", "there are: "),
    WhyNot.NONE_LEFT: ("Dort liegt kein Zertifikat zu", "No certificate of"),
    WhyNot.NOT_SHOWN: ("dort liegen: ", "there are: "),
    WhyNot.OFFER_DECLINED: ("abgelehnt", "has declined"),
    WhyNot.ON_LAST_RUN: ("auf seiner letzten Fahrt", "on its last run"),
    WhyNot.ONE_DISPOSAL: ("schon geschehen", "has been done"),
    WhyNot.ONLY_BEER_WAGON: ("nur einen Bierwagen brauchen", "use for a beer wagon alone"),
    WhyNot.ONLY_THESE_CARDS: ("einer Karte vom Typ", "a card of type"),
    WhyNot.ONLY_THIS_EVENT: ("Jetzt ist nur nach", "alone is asked for"),
    WhyNot.PIECE_AT_DELIVERY: ("es gibt die Typen: ", "there are types: "),
    WhyNot.PLACES_KEPT: ("der frei gehalten wurde: ", "that was kept: "),
    WhyNot.PRICE_BETWEEN: ("liegt zwischen", "lies between"),
    WhyNot.PURCHASES_DONE: ("eine Ausrüstung oder ein Marker ist alles", "one piece of equipment or one marker is all"),
    WhyNot.SALE_OR_PURCHASE: ("ein Verkauf oder ein Kauf", "a sale or a purchase"),
    WhyNot.THESE_MINORS: ("die ausliegenden Kleinbrauereien: ", "the minors that are laid out: "),
    WhyNot.THESE_SIZES_DUE: ("nicht an der Reihe; das sind: ", "are not due; these are: "),
    WhyNot.TREASURY_FIRST: ("und es reicht: ", "and it can: "),
    WhyNot.WAGON_OF_RAILWAY: ("keinen Bierwagen an eine Bahn", "no beer wagon to a railway"),
}
"""What stands in the German and the English sentence of the first refusal of a reason."""

POOR = re.compile(r"[{}\[\]]|  | \.|: \.|‹|\bNone\b|of \.|von \.")
"""A gap that came out empty, doubled blanks, raw names."""


def tried(move, ruleset, rng, lately):
    """What somebody may try in a position: of every kind something, links and tiles anywhere, what was done just before."""
    state = move.before
    judge = DoBrewing(table_of(ruleset), position_of(state), dict(ruleset.options), move.seat)
    kinds = {}
    for kind, action, _ in spelled(judge):
        kinds.setdefault(kind, []).append(action)
    for found in kinds.values():
        yield from rng.sample(found, min(len(found), OF_A_KIND))
    yield from lately
    hexes, tile = list(state.sheet.hexes), rng.choice(list(state.sheet.tiles))
    for at in rng.sample(hexes, 6):
        yield from (BuildRailwayLink(at), PlaceFreeToken(at), LayTile(at, tile, rng.randrange(6)))


@cache
def met():
    """The first refusal of each reason, with the position in which it was met."""
    found = {}
    for seed, short in GAMES:
        players = 5 if short else 3
        ruleset, rng, lately = ruleset_of(players, "expert", short=short), random.Random(seed), []
        begin = start(ruleset, NAMES[:players], seed).state
        begin, pick = (tiles(begin, **LINES), eager) if short else (begin, None)
        for at, move in enumerate(moves(ruleset, players, seed, begin=begin, pick=pick)):
            lately = [*lately[-LATELY:], move.action]
            if short and at % 2:  # these games are long
                continue
            for action in tried(move, ruleset, rng, lately):
                no = refusal(ruleset, move.before, move.seat, action)
                if no is not None:
                    found.setdefault(no.code, (move.before, no))
    return found


def told(state, no):
    """The sentence in German and English."""
    for language in ("de", "en"):
        speaker = Speaker(catalogue(language, TITLE.package), state.sheet, state.names)
        yield refusal_line(speaker, no).replace("\u00a0", " ")


@pytest.mark.parametrize("why", MET, ids=str)
def test_reason_is_met_in_whole_games(why):
    state, no = met()[why]
    for line, part in zip(told(state, no), MET[why], strict=True):
        assert part in line
        assert not POOR.search(line), line


def railway(**values):
    """The CME of the Expert Game in its train step, in the brown phase."""
    return shown(rail(corporation(table("5"), "CME", 60, trains=("5",), treasury=900), "CME", "trains", **values), "5")


def declined_load():
    """A director has declined to carry a cube."""
    state = export(director=1, held=("5", "5"), trains=("5", "5"))
    load = LoadTrain("KWE", "5", 0, number(state, "B7"), 1)
    return act(FULL, act(FULL, state, 0, load).state, 1, Decline()).state, load


def without_demand():
    """Advertising is asked for, and no segment has a cube."""
    state = small("1", event="H", s1=(0, 0), s2=(0, 0))
    state = replace(state, agenda=(state.agenda[0], BreweryRound(2, 1, 2, (), "opened"), Advertise("B7")))
    return state, UseEvent("H", bec=number(state, "B7"))


def without_cards():
    """No card lies in the display that a link could take."""
    state = tiles(corporation(position(4, "3"), "CME", treasury=900, trains=("2",)), B6="58K 1")
    return display(rail(state, "CME", "link"), t2=0, t3=0, t4=0, t5=0, t6=0, t8=0), BuildRailwayLink("B6")


def pool_of_twenty():
    """A certificate of 20 % in the pool, for a minor."""
    state = corporation(position(4, phase="3"), "RIT", 80, 1, sizes={"pool": (10, 20)}, treasury=50)
    return stock(minor(state, 0, "B7", 45, ("2", "2")), 0), TradeIn("RIT", "pool", 20)


def own_train():
    """A train that the railway itself has given up."""
    state = railway()
    state = replace(state, depot=replace(state.depot, pool=("4",)))
    return replace(state, extra=replace(do_state(state), pooled=(("4", "CME"),))), BuyTrain("pool", "4", 300)


def loaded_train():
    """The only train of another railway, which bears a cube."""
    state = loaded(corporation(railway(), "BME", 60, 1, trains=("5",)), "BME", ("5", 1))
    return state, BuyTrain("BME", "5", 100)


WAGON = BuyMarker("C", "display", 100)
RARE = {
    WhyNot.DIRECTOR_REFUSED: (FULL, declined_load, "abgelehnt", "refused"),
    WhyNot.WAGON_BOUGHT: (
        EXPERT,
        lambda: (act(EXPERT, railway(), 0, WAGON).state, BuyTrain("display", "5", 450)),
        "statt eines Zuges",
        "place of a train",
    ),
    WhyNot.TRAIN_BOUGHT: (
        EXPERT,
        lambda: (act(EXPERT, railway(), 0, BuyTrain("display", "5", 450)).state, WAGON),
        "an seine Stelle",
        "take its place",
    ),
    WhyNot.ONE_EXCHANGE: (
        EXPERT,
        lambda: (small("2", "3", step="buy", event="I", treasury=500), BuyBec("2", deal_in=1, upgrade=1)),
        "nicht beides",
        "not both",
    ),
    WhyNot.NO_CUBE_BELOW: (EXPERT, without_demand, "Segment", "segment"),
    WhyNot.NO_CARD_LEFT: (FULL, without_cards, "Auslage", "display"),
    WhyNot.TEN_OF_POOL: (rules(4, pool_20_trade_in="refused"), pool_of_twenty, "10 %", "10 %"),
    WhyNot.TRAIN_LOADED: (EXPERT, loaded_train, "mit Bier beladen", "bears beer"),
    WhyNot.ITS_OWN_TRAIN: (EXPERT, own_train, "CME", "CME"),
}


@pytest.mark.parametrize("why", RARE, ids=str)
def test_rare_reason_has_its_sentences(why):
    ruleset, made, *parts = RARE[why]
    state, action = made()
    no = refused(ruleset, state, 0, action)
    assert no.code == why
    for line, part in zip(told(state, no), parts, strict=True):
        assert part in line
        assert not POOR.search(line), line
