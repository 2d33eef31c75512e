"""Notes: frozen values that stored JSON holds as one readable text."""

from __future__ import annotations

import copy
import pickle
from enum import StrEnum

import msgspec
import pytest

from trajekt.engine.codec import Codec, encode, to_plain
from trajekt.engine.events import FramePushed
from trajekt.engine.frame_notes import Detail, Note, decoder, encoded
from trajekt.games.do.beer_places import BeerBox, LoadedTrain, MarketField, Place
from trajekt.games.do.events import BeerMoved, EventsUsed
from trajekt.games.do.frames import BreweryTurn, ContractUsed, Delivered, NewTrain, RefusedLoad, SetAside, WagonUsed
from trajekt.games.do.state import EventInUse
from trajekt.games.lra.kreisbahn import FurtherLay
from trajekt.games.ruhr.montan_turn import MontanTurn
from trajekt.games.ruhr.track_rules import Upgraded, YellowLaid
from trajekt.registry import title
from trajekt.rules.operating_round import CompanyTurn
from trajekt.rules.turn_notes import Allowance, Declined, Once, PowerLay

EXPERT = {"edition": 1, "game": "expert", "players": 4}


class Pinned(Detail, word="pinned"):
    """A note of a game that is none."""

    hex: str
    times: int


def ruleset(name, options):
    found = title(name)
    chosen = found.options(options)
    return found.ruleset(found.sheet(chosen, None), chosen)


STORED = (
    # what was stored before notes had types: these texts stay
    (
        "18rhl",
        {"edition": 1},
        CompanyTurn("BME", lays=(PowerLay(3), Allowance.NORMAL)),
        {"lays": ["private:3", "normal"]},
    ),
    ("18rhl", {"edition": 2}, CompanyTurn("BME", used=(Declined("ADR", "4", 120),)), {"used": ["declined:ADR:4:120"]}),
    ("18lra", {}, CompanyTurn("RhE", lays=tuple(FurtherLay)), {"lays": ["gkb", "yellow"]}),
    ("18ruhr", {}, CompanyTurn("BME", lays=(YellowLaid("P11"), Upgraded("K8"))), {"lays": ["tile:P11", "upgrade:K8"]}),
    ("18ruhr", {}, MontanTurn("7", used=(Once.CARD, Once.ACTIVITY)), {"used": ["card", "activity"]}),
    ("18do", EXPERT, CompanyTurn("CME", used=(Once.LINK, NewTrain("3"))), {"used": ["link", "new:3"]}),
    ("18do", EXPERT, CompanyTurn("CME", used=(Once.TURNED_TRAINS, Once.RAILWAY_WAGON)), {"used": ["turned", "wagon"]}),
    (
        "18do",
        EXPERT,
        BreweryTurn(
            "DUB",
            delivered=(Delivered(4, 0), Delivered(2, 1)),
            done=(SetAside(3), WagonUsed(5), ContractUsed("CME"), RefusedLoad("BME", "5", 0, 2), Once.DISPOSAL),
        ),
        {"delivered": ["4:0", "2:1"], "done": ["aside:3", "wagon:5", "contract:CME", "refused:BME:5:0:2", "dispose"]},
    ),
)


@pytest.mark.parametrize(("game", "options", "frame", "texts"), STORED)
def test_frames_keep_their_stored_texts(game, options, frame, texts):
    codec, written = Codec(ruleset(game, options)), encode([FramePushed(frame)])
    plain = msgspec.json.decode(written)[0]["frame"]
    assert {name: plain[name] for name in texts} == texts
    assert codec.event_list(written) == codec.events_of(msgspec.json.decode(written)) == (FramePushed(frame),)


def test_places_keep_their_stored_texts():
    codec = Codec(ruleset("18do", EXPERT))
    places = {
        "stock": BeerBox.STOCK, "price_box": BeerBox.PRICE, "aside": BeerBox.ASIDE, "cellar": BeerBox.CELLAR,
        "demand:2:0": MarketField("demand", 2, 0), "supply:6:1": MarketField("supply", 6, 1),
        "train:RhE:3:2": LoadedTrain("RhE", "3", 2),
    }  # fmt: skip
    for text, place in places.items():
        moved = BeerMoved(place, BeerBox.STOCK, 1, "loaded")
        assert to_plain(moved)["source"] == text
        assert codec.event_list(encode([moved])) == (moved,)
        assert str(place) == text
        assert Place.read(text) == place
    used = EventsUsed((EventInUse("B7", "C"),))
    assert list(to_plain(used)["letters"]) == ["B7:C"]
    assert codec.event_list(encode([used])) == (used,)


@pytest.mark.parametrize("text", ("upgrade:K8", "pinned:K8", "declined:ADR:4", "declined:ADR:4:dear", "", "normal:1"))
def test_note_of_no_kind_is_refused(text):
    codec = Codec(ruleset("18rhl", {"edition": 1}))
    plain = msgspec.json.decode(encode([FramePushed(CompanyTurn("BME"))]))
    plain[0]["frame"]["used"] = [text]
    with pytest.raises(msgspec.ValidationError, match=r"used"):
        codec.events_of(plain)


@pytest.mark.parametrize("value", (7, None, ["normal"]))
def test_note_must_be_a_text(value):
    codec = Codec(ruleset("18rhl", {"edition": 1}))
    plain = msgspec.json.decode(encode([FramePushed(CompanyTurn("BME"))]))
    plain[0]["frame"]["used"] = [value]
    with pytest.raises(msgspec.ValidationError):
        codec.events_of(plain)


def test_details_are_frozen_values():
    note = Pinned("G8", times=2)
    assert (note, hash(note), str(note)) == (Pinned("G8", 2), hash(Pinned("G8", 2)), "pinned:G8:2")
    assert note != Pinned("G8", 3)
    assert note != Declined("G8", "2", 2)
    assert pickle.loads(pickle.dumps(Declined("ADR", "4", 120))) == Declined("ADR", "4", 120)
    assert copy.deepcopy(note) == note
    with pytest.raises(AttributeError):
        note.times = 3
    with pytest.raises(AttributeError):
        del note.times
    for wrong in (("G8",), ("G8", 2, 3)):
        with pytest.raises(TypeError, match="hex, times"):
            Pinned(*wrong)


def test_kinds_never_share_a_word():
    class Twice(Detail, word="pinned"):
        tile: str

    class Words(Note, StrEnum):
        LINK = "link"

    with pytest.raises(ValueError, match="pinned"):
        decoder((Pinned, Twice))
    with pytest.raises(ValueError, match="link"):
        decoder((Once, Words))


def test_other_values_are_not_written():
    with pytest.raises(TypeError, match="set"):
        encoded({1})
