"""Sentences: both languages say everything that the types can say, and say it with the same values."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.builders.played_moments import played
from tests.builders.random_positions import sheet
from trajekt.engine import actions, events
from trajekt.engine import ruleset as ruleset_module
from trajekt.engine.actions import Action, BuyPrivate, BuyTrain, FoundCompany, LayTile, PayOut, PlaceBid, RunTrains
from trajekt.engine.events import (
    CAUSES,
    EndTriggered,
    FlagSet,
    FramePopped,
    NumberDrawn,
    Paid,
    PriceMoved,
    PrivateMoved,
    StatusSet,
    TileLaid,
    TrainMoved,
    TrainsRan,
)
from trajekt.engine.ruleset import Choice, Code, Refusal, Span
from trajekt.i18n.sentences import (
    CONTROL,
    LANGUAGES,
    Speaker,
    action_line,
    catalogue,
    choice_label,
    event_key,
    event_line,
    filled,
    gaps,
    read_entries,
    refusal_line,
    tag_of,
)
from trajekt.registry import names, title
from trajekt.rules.operating_round import acting_in_turn

SRC = Path(ruleset_module.__file__).parents[1]
GAME = "trajekt.games.rhl"
NAMES = ("Ada", "Bert", "Cleo")


def speaker(language: str, edition: int = 2) -> Speaker:
    return Speaker(catalogue(language, GAME), sheet(edition), NAMES)


def kinds(base: type) -> list[type]:
    found = []
    for each in base.__subclasses__():
        if each.__module__.startswith("trajekt.engine") and each.__struct_config__.tag is not None:
            found.append(each)
        found += kinds(each)
    return found


@pytest.mark.parametrize("package", ["trajekt.i18n", *(title(name).package for name in names())])
def test_languages_have_equal_keys_and_gaps(package):
    english, german = (read_entries(package, language) for language in LANGUAGES)
    assert english
    assert english.keys() == german.keys()
    assert {k: gaps(v) for k, v in english.items()} == {k: gaps(v) for k, v in german.items()}
    assert {k for k, v in english.items() if not v} == {k for k, v in german.items() if not v}


def bonuses(folder: Path) -> set[str]:
    """The names of the bonuses that the rules of a game make."""
    return {
        call.args[1].value
        for path in folder.glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Bonus"
        if isinstance(call.args[1], ast.Constant)
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_every_bonus_of_run_is_named(name, language):
    package = title(name).package
    found = bonuses(SRC / "games" / package.rpartition(".")[2])
    assert found
    assert {bonus for bonus in found if f"bonus.{bonus}" not in catalogue(language, package)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_action_has_heading_and_label(language):
    known = catalogue(language)
    tags = {each.__struct_config__.tag for each in kinds(actions.Action)}
    assert len(tags) > 20
    missing = {f"{family}.{tag}" for tag in tags for family in ("action", "choice")} - known.entries.keys()
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_event_has_a_sentence(language):
    known = catalogue(language)
    tags = {each.__struct_config__.tag for each in events.SHARED if each not in CONTROL}
    assert not {f"event.{tag}" for tag in tags - {"status"}} - known.entries.keys()
    assert "event.status.floated" in known


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_name_existing_causes_only(language):
    caused = {each.__struct_config__.tag for each in events.SHARED if "cause" in each.__struct_fields__}
    keys = [key.split(".") for key in catalogue(language, GAME).entries if key.startswith("event.")]
    named = {key[2] for key in keys if key[1] in caused and len(key) == 3}
    assert named <= CAUSES | {"none", "gone"}


def codes_of_routes(game: str) -> set[str]:
    """The codes of route faults in the shared rules and in one game, which are plain strings."""
    found = set()
    for path in (*SRC.glob("rules/*.py"), *SRC.glob(f"games/{game}/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RouteFault":
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant):
                    found.add(first.value)
    return found


GAMES = sorted(path.parent.name for path in SRC.glob("games/*/de.toml"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence(language, game):
    codes = {str(code) for code in Code} | codes_of_routes(game)
    assert len(codes) > 55
    assert not {f"refusal.{code}" for code in codes} - catalogue(language, f"trajekt.games.{game}").entries.keys()


def test_money_and_numbers_follow_the_language():
    assert catalogue("en").money(1234) == "1,234\u00a0M"
    assert catalogue("de").money(1234567) == "1.234.567\u00a0M"
    assert catalogue("de").money(-80) == "−80\u00a0M"


def test_part_left_out_where_value_missing():
    template = "Not enough money[: {cost} needed][, {money} there]."
    assert filled(template, {}) == "Not enough money."
    assert filled(template, {"cost": "5 M"}) == "Not enough money: 5 M needed."


def test_actions_read_as_headings():
    assert action_line(speaker("en"), 1, PlaceBid(3, 55)) == "Bert bids 55\u00a0M on Train Hauling System"
    assert action_line(speaker("de"), 1, PlaceBid(3, 55)) == "Bert bietet 55\u00a0M auf Seilzuganlage"
    assert action_line(speaker("de"), 0, LayTile("K2", "930", 0)) == "Ada legt #930 auf K2 Aachen"
    assert (
        action_line(speaker("en"), 2, BuyTrain("pool", "3", 200))
        == "Cleo buys a 3-train from the bank pool for 200\u00a0M"
    )


def test_price_is_of_own_purchase():
    bought = (PrivateMoved(1, 0), Paid(0, "bank", 20, "private"), PrivateMoved(2, 0), Paid(0, "bank", 35, "private"))
    assert action_line(speaker("en"), 0, BuyPrivate(1), events=bought) == "Ada buys Prinz-Wilhelm-Bahn for 20\u00a0M"


def test_company_called_by_letters_of_edition():
    assert action_line(speaker("en", 1), 0, FoundCompany("MKB", 70)) == "Ada founds KKK at par 70\u00a0M"
    assert action_line(speaker("en", 2), 0, FoundCompany("MKB", 70)) == "Ada founds MKB at par 70\u00a0M"


def test_open_numbers_form_a_range():
    choice = Choice(0, PlaceBid(3, 55), {"amount": Span(55, 600, 5)})
    assert choice_label(speaker("en"), choice) == "Bid 55\u00a0M to 600\u00a0M on Train Hauling System"


def test_events_told_by_tag_and_cause():
    english, german = speaker("en"), speaker("de")
    paid = Paid("bank", 0, 1200, "dividend")
    assert event_line(english, paid) == "Ada receives a dividend of 1,200\u00a0M"
    assert event_line(german, paid) == "Ada erhält 1.200\u00a0M Dividende"
    assert event_line(english, Paid(0, "bank", 20, "private")) == "Ada pays 20\u00a0M for the certificate"
    assert event_line(english, Paid("bank", 0, 5, "private")) == "Ada receives 5\u00a0M from private companies"
    assert event_line(german, TrainMoved("3", "RhE", "gone", "closed")) == "Ein 3er-Zug von RhE verlässt das Spiel"
    assert event_line(german, TrainMoved("3", "pool", "RhE", "train")) == "RhE erhält einen 3er-Zug von dem Bankpool"
    assert event_line(german, PriceMoved("RhE", (1, 1), "sale")) == "RhE fällt auf 75\u00a0M"
    assert event_line(english, TileLaid("K4", "4", 1, "RhE")) == "RhE: tile #4 on K4"
    by_power = TileLaid("K4", "4", 1, "RhE", cause="power")
    assert event_line(german, by_power, 3) == "RhE: Gleisplättchen #4 auf K4 durch eine Sonderfunktion (Seilzuganlage)"
    assert event_line(english, NumberDrawn("location", 4)) == "Location card drawn: 4"
    assert event_line(english, EndTriggered("or")).startswith("The bank has broken: the game ends after this set")
    assert event_line(english, Paid("aside:RhE", "RhE", 240, "link")) == (
        "RhE receives the 240\u00a0M set aside: Köln and Aachen are linked"
    )


def test_some_events_say_nothing():
    english = speaker("en")
    assert event_line(english, FramePopped()) is None
    assert event_line(english, StatusSet("RhE", "operated")) is None
    assert event_line(english, FlagSet("anything", "1")) is None


def test_an_unknown_key_shows_itself():
    assert catalogue("en").text("event.unheard_of") == "‹event.unheard_of›"
    assert event_key(catalogue("en"), Paid(0, 1, 5, "unheard_of")) == "event.paid"


def test_refusals_are_sentences_with_their_values():
    refusal = Refusal("unaffordable", "COMMON-SR-06", {"cost": 160, "money": 20})
    assert refusal_line(speaker("en"), refusal) == "Not enough money: 160\u00a0M needed, 20\u00a0M available."
    assert refusal_line(speaker("de"), Refusal("unaffordable", "COMMON-SR-06")) == "Nicht genug Geld."


def test_an_unknown_language_is_an_error():
    with pytest.raises(ValueError, match="no language 'fr'"):
        catalogue("fr")


def test_kinds_finds_actions():
    assert FoundCompany in kinds(Action)


def simulated_events(seed: int, edition: int):
    """All events of a game played at random."""
    import random

    from trajekt.bots.bot import RandomBot, next_action
    from trajekt.engine.decisions import Decision, decide, start
    from trajekt.registry import title

    found = title("18rhl")
    options = found.options({"edition": edition})
    ruleset = found.build(found.sheet(options, None), options)
    rng = random.Random(seed)
    decision = start(ruleset, NAMES, seed)
    players = [RandomBot(rng) for _ in NAMES]
    yield from decision.events
    while not decision.state.outcome:
        chosen = next_action(ruleset, decision.state, players, rng)
        assert chosen is not None
        answer = decide(ruleset, decision.state, *chosen)
        assert isinstance(answer, Decision)
        decision = answer
        yield from decision.events


@pytest.mark.parametrize("edition", [1, 2])
def test_each_cause_has_its_own_sentence(edition):
    """The general sentence of a kind is a fallback for games to come; 18Rhl never shows it."""
    english, german = speaker("en", edition), speaker("de", edition)
    lines = set()
    for event in simulated_events(31, edition):
        if isinstance(event, CONTROL):
            continue
        key = event_key(english.catalogue, event)
        assert key in english.catalogue, event
        assert not getattr(event, "cause", "") or event.cause in key.split("."), event
        for told in (event_line(english, event), event_line(german, event)):
            assert told is None or ("‹" not in told and "{" not in told), told
            lines.add(told)
    assert len(lines) > 300


def test_actions_in_turn_belong_to_company():
    done = (Paid("ADR", "bank", 60, "tile"), TrainsRan("ADR", 170), PriceMoved("ADR", (1, 5), "dividend"))
    line = action_line(speaker("en"), 0, LayTile("K4", "4", 1), "ADR", done)
    assert line.startswith("ADR lays #4 on K4")
    assert line.endswith("for 60\u00a0M")
    assert "170\u00a0M" in action_line(speaker("en"), 0, RunTrains(()), "ADR", done)
    assert action_line(speaker("de"), 0, PayOut(), "ADR", done).startswith("ADR schüttet aus, Kurs jetzt 110")
    assert action_line(speaker("en"), 0, PayOut()).startswith(NAMES[0])


@pytest.mark.parametrize(("game", "kinds"), [("18do", {"deliver", "buy_bec"}), ("18ruhr", {"develop", "build_link"})])
def test_mines_and_breweries_act_themselves(game, kinds):
    found = played(game, most=260)
    names = Speaker(catalogue("en", found.title.package), found.state.sheet, found.state.names)
    told = 0
    for entry in found.line():
        acting = acting_in_turn(found.state_at(entry.parent))
        if acting and acting not in found.state.companies and tag_of(entry.action) in kinds:
            assert action_line(names, entry.seat, entry.action, acting).startswith(f"{names.place(acting)} ")
            told += 1
    assert told


def test_marker_moved_twice_stands_at_end():
    moves = (
        PriceMoved("ADR", (1, 5), "dividend"),
        PriceMoved("ADR", (1, 6), "dividend"),
        PriceMoved("ADR", (1, 7), "sold_out"),
    )
    last = speaker("en").sheet.market.price((1, 6))
    assert action_line(speaker("en"), 0, PayOut(), "ADR", moves) == f"ADR pays out; price now {last}\u00a0M"
