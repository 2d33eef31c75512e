"""Exports that are foreign, torn or of other rules: each gets a clear message that names the entry."""

from __future__ import annotations

import json
import resource
from copy import deepcopy
from pathlib import Path

import pytest

from tests.builders.route_boards import board, faults, revenue, setting
from trajekt.engine.routing.runs import Run
from trajekt.games.rhl.import_routes import path
from trajekt.import_18xx import (
    ImportRefusedError,
    import_export,
    is_export,
    items,
    note_line,
    read_export,
    seats,
    standing,
)
from trajekt.records import RecordError

RECORDED = "recorded/18rhl-first-edition-2026.json"
SITE_EXPORTS = Path(__file__).parent / "site_exports"


def entry(number, kind="pass", entity=1, **more):
    return {"id": number, "type": kind, "entity": entity, "entity_type": "player", **more}


def export(*actions, title="18Rhl", players=(1, 2, 3), **more):
    named = [{"id": n, "name": f"N{n}"} for n in players]
    return {"title": title, "players": named, "actions": list(actions), "settings": {"optional_rules": []}, **more}


def read(plain, **more):
    return read_export(json.dumps(plain).encode(), **more)


def ids(entries):
    return [found["id"] for _, found in standing(entries)]


class TestUndo:
    def test_undo_drops_newest_standing_entry(self):
        assert ids([entry(1), entry(2), entry(3, "undo")]) == [1]
        assert ids([entry(1), entry(2), entry(3, "undo"), entry(4, "undo"), entry(5)]) == [5]

    def test_undo_with_id_drops_everything_after(self):
        assert ids([entry(1), entry(2), entry(3), entry(4, "undo", action_id=1), entry(5)]) == [1, 5]

    def test_redo_restores_the_last_dropped(self):
        assert ids([entry(1), entry(2), entry(3, "undo"), entry(4, "redo")]) == [1, 2]
        many = [entry(1), entry(2), entry(3), entry(4, "undo", action_id=1), entry(5, "redo"), entry(6)]
        assert ids(many) == [1, 2, 3, 6]

    def test_message_neither_drops_nor_is_dropped(self):
        assert ids([entry(1), entry(2, "message"), entry(3, "undo"), entry(4, "message"), entry(5, "redo")]) == [1]

    def test_redo_without_undo_names_its_entry(self):
        with pytest.raises(RecordError, match="entry 3: a redo without an undo"):
            standing([entry(1), entry(2), entry(3, "redo")])
        with pytest.raises(RecordError, match="entry 4: a redo"):
            standing([entry(1), entry(2, "undo"), entry(3), entry(4, "redo")])

    def test_undo_of_nothing_names_its_entry(self):
        with pytest.raises(RecordError, match="entry 1: an undo with nothing"):
            standing([entry(1, "undo")])


def test_programs_inert_automatic_actions_follow():
    program = entry(7, "program_share_pass", auto_actions=[entry(0, "pass", 2), {"type": "program_disable"}])
    found = items(standing([entry(1), program]))
    assert [(i.entry, i.id, i.raw["type"]) for i in found] == [(1, 1, "pass"), (2, 7, "pass")]


@pytest.mark.rule("CMP-05")
def test_seats_follow_list_of_players():
    found = seats(export(entry(1, "program_auction_bid", entity=3), entry(2, entity=1), players=(2, 1, 3)))
    assert found == [(2, "N2"), (1, "N1"), (3, "N3")]


def test_players_without_numbers_are_export():
    assert seats({"players": [{"name": "Ada"}, {"name": "Bert"}]}) == [("Ada", "Ada"), ("Bert", "Bert")]


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ([{"id": 1, "name": "A"}, {"id": 1, "name": "B"}], "same number: 1"),
        ([{"id": 1, "name": "A"}, {"id": 2, "name": "A"}], "same name: A"),
    ],
)
def test_doubled_players_are_refused(players, words):
    with pytest.raises(RecordError, match=words):
        seats({"players": players})


@pytest.mark.rule("CMP-05")
def test_chosen_order_of_players_counts():
    chosen = {"settings": {"seed": 1, "player_order": [2, 3, 1]}}
    bid = {"company": "PWB", "price": 20}
    assert read(export(entry(1, "bid", 2, **bid), **chosen)).names == ("N2", "N3", "N1")
    assert read(export(entry(1, "bid", 1, **bid), **chosen)).names == ("N1", "N2", "N3")  # they sit as listed


@pytest.mark.parametrize("title", ["18Rhl", "18rhl", "18 Rhl", "18Rhl: Rhineland"])
def test_title_is_read_in_any_spelling(title):
    assert read(export(entry(1, "bid", company="PWB", price=20), title=title)).number == 1


class TestEndedByHand:
    """`end_game` may come at any time; undone it says nothing."""

    def test_game_stands_where_it_was_left(self):
        game = read(export(entry(1, "bid", company="PWB", price=20), entry(2, "end_game", 2)))
        assert game.state.outcome == "agreed"
        assert [row.cash for row in sorted(game.standings(), key=lambda row: row.seat)] == [580, 600, 600]

    def test_entry_behind_end_is_named(self):
        with pytest.raises(ImportRefusedError, match="entry 2: the game has ended by the rules, the file goes on"):
            read(export(entry(1, "end_game", 2), entry(2, "bid", company="PWB", price=20)))

    def test_undone_end_says_nothing(self):
        game = read(export(entry(1, "bid", company="PWB", price=20), entry(2, "end_game", 2), entry(3, "undo", 2)))
        assert not game.finished


class TestForeignBytes:
    def test_byte_order_mark_is_skipped(self):
        data = b"\xef\xbb\xbf" + json.dumps(export(entry(1, "bid", company="PWB", price=20))).encode()
        assert is_export(data)
        assert read_export(data).number == 1

    def test_torn_file_is_called_torn(self):
        data = json.dumps(export(entry(1))).encode()[:-9]
        with pytest.raises(RecordError, match="the file is torn: it ends in the middle"):
            read_export(data)

    def test_many_values_are_not_made(self):
        with pytest.raises(RecordError, match="may hold 800,003 values; up to 400,000"):
            read_export(b'{"actions":[' + b"{}," * 400_000 + b"{}]}")

    def test_long_text_costs_no_memory(self):
        data = json.dumps(export(description="x" * 3_900_000)).encode()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert read_export(data).number == 0
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60 * 1024

    def test_large_file_is_not_decoded(self):
        with pytest.raises(RecordError, match=r"4,000,001 bytes; up to 4,000,000"):
            read_export(b" " * 4_000_001)

    def test_deep_file_is_not_decoded(self):
        with pytest.raises(RecordError, match="nests brackets 50,000 deep"):
            read_export(b"[" * 50_000 + b"]" * 50_000)

    def test_many_entries_are_not_carried_out(self):
        with pytest.raises(RecordError, match="20,001 entries"):
            read_export(json.dumps(export(*([entry(1)] * 20_001))).encode())

    def test_large_number_is_named_with_entry(self):
        with pytest.raises(RecordError, match="entry 1: a number is too large"):
            read(export(entry(1, "bid", company="KEO", price=2**60)))

    def test_title_is_looked_at_first(self):
        with pytest.raises(RecordError, match="the export is of '1846', which is not installed"):
            read({"title": "1846", "players": [{"name": "A"}], "actions": []})


class TestPrices:
    def test_certificate_in_exchange_is_named(self):
        with pytest.raises(ImportRefusedError, match="gives KEG_1 in exchange for a certificate"):
            read(export(entry(1, "sell_shares", 1, shares=["KEG_0"], percent=10, swap="KEG_1")))

    @pytest.mark.rule("CMP-11")
    def test_purchase_at_other_price_names_both(self):
        with pytest.raises(ImportRefusedError, match=r"costs 20\xa0M by the rules \(CMP-11\), 45\xa0M by the file"):
            read(export(entry(1, "bid", company="PWB", price=45)))


def test_end_of_active_export_is_compared():
    plain = export(entry(1, "bid", company="PWB", price=20), status="active", acting=[3])
    game, notes = import_export(json.dumps(plain).encode())
    assert [note_line(note, game, "en") for note in notes] == [
        "at the end N3 is to act by the file, by the rules N2 (CMP-06)"
    ]
    assert [note_line(note, game, "de") for note in notes] == [
        "Am Ende ist nach der Datei N3 an der Reihe, nach den Regeln N2 (CMP-06)"
    ]


def test_auction_has_no_round_compared():
    bids = entry(1, "bid", company="PWB", price=20), entry(2, "bid", 2, company="KEO", price=30)
    rounds = {"status": "active", "acting": [3], "round": "Stock Round", "turn": 1}
    assert import_export(json.dumps(export(*bids, **rounds)).encode()).notes == ()  # the auction has no such name


class TestForeignFiles:
    def test_export_of_another_game_is_refused(self):
        with pytest.raises(RecordError, match="the export is of '1889', which is not installed"):
            read(export(title="1889"))

    def test_export_without_actions_is_refused(self):
        with pytest.raises(RecordError, match="no list of actions"):
            read({"title": "18Rhl", "actions": 3, "players": []})

    def test_export_without_players_is_refused(self):
        with pytest.raises(RecordError, match="does not say who plays"):
            read({"title": "18Rhl", "actions": [], "players": [1, 2]})

    def test_too_many_players(self):
        with pytest.raises(RecordError, match="for 3 to 6 players, not 7"):
            read(export(players=range(7)))

    def test_an_unknown_optional_rule(self):
        with pytest.raises(RecordError, match="the optional rule 'moon' is unknown"):
            read(export(settings={"optional_rules": ["moon"]}))

    def test_an_entry_without_a_type(self):
        with pytest.raises(RecordError, match="entry 2: an entry has no type"):
            read(export(entry(1), {"id": 2}))

    def test_an_entry_of_a_stranger(self):
        with pytest.raises(RecordError, match="entry 1: nobody 99 sits at this table"):
            read(export(entry(1, entity=99)))

    def test_an_unknown_kind(self):
        with pytest.raises(RecordError, match="entry 1: a player's 'dance' is unknown"):
            read(export(entry(1, "dance")))

    def test_an_unknown_certificate(self):
        with pytest.raises(RecordError, match="entry 1: there is no certificate 'XYZ'"):
            read(export(entry(1, "bid", company="XYZ", price=20)))

    def test_a_field_that_is_missing(self):
        with pytest.raises(RecordError, match="entry 1: cannot be read"):
            read(export(entry(1, "bid")))

    def test_an_unknown_corporation(self):
        with pytest.raises(RecordError, match="entry 1: there is no corporation 'ABC'"):
            read(export({"id": 1, "type": "pass", "entity": "ABC", "entity_type": "corporation"}))

    def test_more_entries_than_there_are(self):
        with pytest.raises(RecordError, match="the export has 1 entries, there is no entry 5"):
            read(export(entry(1)), until=5)


@pytest.mark.rule("CMP-30")
def test_express_ends_at_its_cities():
    """The site lets it end at a town, C10, and does not count that; here the route goes no further than B9."""
    on = board("compat", "C10 #88 r2; B9 #15 r4; B7 #8 r2", "CME B9:a")
    chains = [["A6", "B7", "B9"], ["B9", "C10"]]
    assert faults(setting("compat", on, "CME", "8"), Run("8", path(on, chains))) == [("ends_at_town", "RHL-RTE-20")]
    track = path(on, chains, town_ends=False)
    assert revenue(setting("compat", on, "CME", "8"), Run("8", track)) > 0
    assert {ref.partition(":")[0] for ref in track} == {"A6", "B7", "B9"}


class TestRefusals:
    def test_low_bid_names_entry_and_rule(self):
        with pytest.raises(ImportRefusedError, match="entry 1: bid is refused: The bid is too low") as caught:
            read(export(entry(1, "bid", company="Szl", price=51)))
        assert (caught.value.entry, caught.value.refusal.rule) == (1, "COMMON-AUC-05")

    def test_differing_id_is_named(self):
        with pytest.raises(RecordError, match=r"entry 2: \(id 9\) bid is refused"):
            read(export(entry(4), entry(9, "bid", 2, company="Szl", price=51)))

    def test_optional_rules_are_options(self):
        game = read(export(settings={"optional_rules": ["optional_2_train", "lower_starting_capital"]}))
        assert (game.options.optional_2_train, game.options.lower_capital) == (True, True)
        assert game.state.players[0].cash == 500


@pytest.fixture(scope="module")
def recorded():
    from tests.conftest import shared_path

    return json.loads(shared_path(RECORDED).read_text(encoding="utf-8"))


def changed(recorded, id_, **fields):
    plain = deepcopy(recorded)
    found = next(e for e in plain["actions"] if e["id"] == id_)
    found.update(fields)
    return plain


@pytest.mark.parametrize(
    ("id_", "fields", "message"),
    [
        (32, {"hex": "A2"}, r"entry 32: lay_tile is refused"),
        (32, {"rotation": 2}, r"entry 32: lay_tile is refused"),
        (36, {"price": 90}, r"entry 36: buy_train is refused"),
        (62, {"city": "B9-0-0"}, r"entry 62: place_token is refused"),
        (64, {"kind": "half"}, r"entry 64: a dividend 'half' is unknown"),
        (77, {"shares": ["ADR_6"]}, r"entry 77: buy_shares is refused"),
        (18, {"share_price": "85,1,2"}, r"entry 18: par is refused"),
        (13, {"entity": 579}, r"entry 1[34]: "),
    ],
)
def test_changed_game_stops_at_entry(recorded, id_, fields, message):
    with pytest.raises(RecordError, match=message):
        read(changed(recorded, id_, **fields))


def test_missing_route_stops_at_entry(recorded):
    plain = changed(recorded, 63)
    route = next(e for e in plain["actions"] if e["id"] == 63)["routes"][0]
    route["connections"] = [["K6", "K8", "J9", "H9"]]
    with pytest.raises(RecordError, match=r"entry 63: .*(no track|no neighbours)"):
        read(plain)


def test_changed_revenue_stops_at_entry(recorded):
    plain = changed(recorded, 63)
    next(e for e in plain["actions"] if e["id"] == 63)["routes"][0]["revenue"] = 70
    with pytest.raises(RecordError, match="entry 63: the routes of RhE earn 50\xa0M by the rules, 70\xa0M by the file"):
        read(plain)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([entry(1, "bid", company="PWB", price=20), entry(2, "undo", action_id="x")], "entry 2: an undo goes back"),
        ([entry(1, "bid", company=["PWB"], price=[])], "entry 1: "),
        ([entry(1, "sell_shares", shares=[])], "entry 1: "),
        ([entry(1, "choose", choice="x")], "entry 1: a player's 'choose' is unknown"),
        ([entry(1, "merge", entity="KEG")], "entry 1: nobody 'KEG' sits"),
    ],
)
def test_odd_entries_end_in_sentence(entries, words):
    with pytest.raises(RecordError, match=words):
        read(export(*entries))


def test_entries_may_have_no_ids():
    game = read(export({"type": "bid", "entity": 1, "entity_type": "player", "company": "PWB", "price": 20}))
    assert game.number == 1


def test_odd_optional_rule_is_named():
    with pytest.raises(RecordError, match="the optional rule"):
        read(export(settings={"optional_rules": [["ratingen_variant"]]}))


def test_older_rules_named_out_of_turn():
    """An entry of a company whose turn it is not: the file may be of older rules; what came before is there to go on from."""
    raw = json.loads((SITE_EXPORTS / "06-order-of-floating.json").read_text(encoding="utf-8"))
    lay = {
        "type": "lay_tile",
        "entity": "DEE",
        "entity_type": "corporation",
        "id": 30,
        "hex": "E6",
        "tile": "7-0",
        "rotation": 0,
    }
    raw["actions"].append(lay)
    with pytest.raises(ImportRefusedError) as parted:
        import_export(json.dumps(raw).encode())
    fault = parted.value
    assert fault.entry == 30
    assert "older rules of the site" in str(fault)
    assert "älteren Regeln der Seite" in fault.sentence("de")
    assert fault.game.number == 29
    assert fault.game.choices()
