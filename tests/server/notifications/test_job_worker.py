"""The work of a table: who is concerned is told once, not while he looks, not when he is silent; jobs outlive a server."""

from __future__ import annotations

import re

import msgspec
import pytest
from starlette.testclient import TestClient

from tests.server.databases import ON_BOTH
from tests.server.friends import gathered
from tests.server.notifications.notification_bench import SENDER, Bench, letters
from tests.server.steady import an_offer, fresh, in_stock_round, operating
from tests.server.waiting import at_once, until
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.http.app import create_app
from trajekt.server.notifications import mail, messages
from trajekt.server.notifications.delivery import NotificationConfig
from trajekt.server.notifications.job_worker import JobRunner
from trajekt.server.services.table_service import TableService
from trajekt.server.storage import contacts, job_queue
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.seats import HERE

ADA, BERT, CLEO = 0, 1, 2


@ON_BOTH
def test_notice_names_game_table_and_action(bench, post_box):
    bench.contact(BERT, mail="bert@home.example", language="de")
    bench.passes()
    bench.run()
    (letter,) = letters(post_box)
    assert letter["To"] == "bert@home.example"
    assert letter["Subject"] == "18Rhl-Rhineland, AR 1: Bert: kaufen, bieten oder passen?"
    text = letter.get_content()
    assert f"https://reached.example/t/{bench.id}" in text
    assert "Ada" in text.partition("Zuletzt: ")[2]
    assert "Am Tisch: Ada, Bert, Cleo" in text


def test_webhook_is_told_once_too(bench, web_hook, post_box):
    bench.contact(BERT, mail="bert@home.example", hook=web_hook.url, form="json")
    bench.passes()
    bench.run()
    bench.run(after=4000)
    assert len(post_box.letters) == len(web_hook.asked) == 1
    body = web_hook.asked[0][2]
    assert (body["table"], body["game"], body["player"], body["kind"], body["number"]) == (
        bench.id,
        "18rhl",
        "Bert",
        "turn",
        1,
    )
    assert body["decision"] == "Bert: buy, bid or pass?"


def test_hosts_address_precedes_players_one(store, post_box):
    bench = Bench(store, NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "https://public.example/"))
    bench.contact(BERT, mail="bert@home.example")
    bench.passes()
    bench.run()
    assert f"https://public.example/t/{bench.id}\r\n" in letters(post_box)[0].get_content()


def test_nobody_is_told_during_grace(bench, post_box):
    bench.contact(BERT, mail="bert@home.example")
    bench.passes()
    bench.run(after=19.0)
    assert not post_box.letters
    bench.run(after=2.0)
    assert len(post_box.letters) == 1


def test_timely_player_is_not_told(bench, post_box):
    bench.contact(BERT, mail="bert@home.example")
    bench.passes()
    bench.run(after=0.0)
    bench.passes()
    bench.run()
    assert not post_box.letters


@pytest.mark.parametrize(("ago", "told"), [(1.0, 0), (HERE - 31.0, 0), (HERE + 1.0, 1)])
def test_looking_player_is_not_told(bench, post_box, ago, told):
    bench.contact(BERT, mail="bert@home.example")
    bench.looks(BERT, bench.now + 30.0 - ago)
    bench.passes()
    bench.run(after=30.0)
    assert len(post_box.letters) == told


def test_the_silent_are_not_told(bench, post_box):
    bench.contact(BERT, mail="bert@home.example", muted=True)
    bench.passes()
    bench.run()
    assert not post_box.letters


def test_own_steps_are_no_news(bench, post_box):
    game = operating()
    seat = game.to_act[0]
    entry = game.play({"kind": "pass"}, seat)
    assert seat in game.to_act
    assert messages.newly_awaited(game, entry.number, frozenset()) == ()
    assert messages.newly_awaited(game, entry.number, frozenset({entry.number})) == (seat,)
    start = fresh()
    start.play({"kind": "pass"})
    assert messages.newly_awaited(start, 1, frozenset()) == (1,)


def test_no_address_no_job_is_stored(bench):
    bench.passes()
    assert bench.jobs() == []
    bench.contact(CLEO, mail="cleo@home.example")
    bench.passes()
    assert [kind for kind, *_ in bench.jobs()] == ["turn"]


def test_job_is_stored_with_its_entry(bench, monkeypatch):
    bench.contact(BERT, mail="bert@home.example")
    real = job_queue.after_entry
    monkeypatch.setattr(
        "trajekt.server.storage.store.job_queue.after_entry", lambda *_a: (_ for _ in ()).throw(RuntimeError("dies"))
    )
    with pytest.raises(RuntimeError):
        bench.passes()
    monkeypatch.setattr("trajekt.server.storage.store.job_queue.after_entry", real)
    assert bench.store.number(bench.id) == 0
    assert bench.jobs() == []


@ON_BOTH
def test_job_of_dead_server_is_done(bench, post_box):
    bench.contact(BERT, mail="bert@home.example")
    bench.passes()
    assert job_queue.take(bench.store.engine, bench.now)  # taken, and never done
    assert job_queue.take(bench.store.engine, bench.now + job_queue.LEASE - 1) == []
    bench.now += job_queue.LEASE
    bench.run()
    assert len(post_box.letters) == 1


def test_absent_mail_server_is_retried_slower(bench, post_box):
    bench.contact(BERT, mail="bert@home.example")
    post_box.answer = "451 later"
    bench.passes()
    bench.run()
    tries = [(post_box.letters and len(post_box.letters), bench.jobs()[0][2] - bench.now)]
    for pause in (15.0, 60.0, 240.0):
        bench.run(after=pause)
        tries.append((len(post_box.letters), bench.jobs()[0][2] - bench.now))
    assert tries == [(1, 15.0), (2, 60.0), (3, 240.0), (4, 960.0)]
    post_box.answer = "250 kept"
    bench.run(after=960.0)
    assert bench.jobs() == []
    assert len(post_box.letters) == 5


def test_failing_mail_is_logged_once(bench, post_box, caplog):
    """The host reads of the first failure of a way at once, then once an hour, and never the password."""
    bench.contact(BERT, mail="bert@home.example")
    post_box.answer = "451 later"
    bench.passes()
    for _ in range(3):
        bench.run(after=240.0)
    lines = [line for line in caplog.messages if "could not be sent" in line]
    assert len(lines) == 1
    assert "451" in lines[0]
    assert bench.work.sendings["mail", "failed"] > 1


def test_what_never_goes_is_given_up(bench, post_box):
    bench.contact(BERT, mail="bert@home.example")
    post_box.answer = "451 later"
    bench.passes()
    for _ in range(20):
        bench.run(after=job_queue.LONGEST_PAUSE)
    assert bench.jobs() == []
    assert len(post_box.letters) == job_queue.TRIES


def test_refusing_webhook_is_not_retried(store, web_hook):
    bench = Bench(store, NotificationConfig(private_hooks=True))
    bench.contact(BERT, hook=web_hook.url)
    web_hook.status = 404
    bench.passes()
    bench.run()
    assert bench.jobs() == []
    assert len(web_hook.asked) == 1
    inside = Bench(store, NotificationConfig())
    inside.contact(BERT, hook=web_hook.url)
    inside.passes()
    inside.run()
    assert inside.jobs() == []
    assert len(web_hook.asked) == 1


def test_several_workers_take_each_job_once(bench):
    bench.contact(BERT, mail="bert@home.example")
    with bench.store.begin() as connection:
        for n in range(40):
            job_queue.ask(connection, bench.id, job_queue.TURN, {"number": 0}, float(n))
    taken = []

    def worker():
        while jobs := job_queue.take(bench.store.engine, bench.now, limit=3):
            taken.extend(job.id for job in jobs)

    at_once(worker, worker, worker)
    assert len(taken) == len(set(taken)) == 40


def test_all_are_told_of_the_end(bench, post_box, monkeypatch):
    for seat, name in enumerate(("ada", "bert", "cleo")):
        bench.contact(seat, mail=f"{name}@home.example")
    bench.work.tell(bench.id, (ADA, BERT, CLEO), 1, contacts.OVER)
    bench.run()
    assert sorted(letter["To"] for letter in letters(post_box)) == [
        f"{n}@home.example" for n in ("ada", "bert", "cleo")
    ]
    assert letters(post_box)[0]["Subject"].endswith(": the game is over")


def test_asked_player_is_told_unless_settled(bench, post_box):
    from trajekt.server.accounts.viewer import Viewer
    from trajekt.server.services import seats as seat_service
    from trajekt.server.services.seats import ConsentAnswer, ConsentRequestBody

    bench.contact(BERT, mail="bert@home.example")
    bench.contact(CLEO, mail="cleo@home.example")
    for _ in range(3):
        bench.passes()
    made = seat_service.ask(bench.table, bench.cached, Viewer(seats=(ADA,)), ConsentRequestBody("undo", 3))
    assert made.needs == (BERT, CLEO)
    bench.work.consult(made)
    seat_service.reply(bench.table, bench.cached, Viewer(seats=(BERT,)), made.number, ConsentAnswer(yes=True))
    bench.run()
    (letter,) = letters(post_box)
    assert letter["To"] == "cleo@home.example"
    assert "Cleo: the others ask you to agree to something" in letter["Subject"]
    bench.work.consult(made)
    seat_service.reply(bench.table, bench.cached, Viewer(seats=(CLEO,)), made.number, ConsentAnswer(yes=False))
    bench.run()
    assert len(post_box.letters) == 1


def test_answering_instruction_keeps_letter_away(bench, post_box):
    from trajekt.server.services.standing_orders import PassUntil, give
    from trajekt.server.storage.standing_orders import keep

    bench.contact(BERT, mail="bert@home.example")
    bench.contact(CLEO, mail="cleo@home.example")
    keep(bench.store, bench.id, give(bench.cached.game, BERT, PassUntil("end")))
    bench.passes()
    bench.run()
    assert bench.store.number(bench.id) == 2
    assert [letter["To"] for letter in letters(post_box)] == ["cleo@home.example"]


@pytest.mark.case("B96")
def test_instructed_action_survives_restart_once(bench, store):
    from trajekt.server.services.standing_orders import Buy, give
    from trajekt.server.storage.standing_orders import holding, keep

    game = in_stock_round(number=3)
    seat = game.to_act[0]
    action, cost = an_offer(game, seat)
    id_ = bench.table.keep(game)
    keep(store, id_, give(game, seat, Buy(action.company, action.source, action.percent, cost)))
    cached = bench.table.cache.get(id_)
    result = bench.work.act(cached)
    assert result.entry.action == action
    assert [kept.ended for kept in holding(store, id_)] == [""]  # the action is stored, the server dies here
    again = TableService(GameCache(store))
    work = JobRunner(again, Accounts(again.cache))
    assert work.act(again.cache.get(id_)).entry is None
    assert holding(store, id_) == []
    assert store.number(id_) == game.number + 1


@pytest.mark.case("B96")
def test_failing_purchase_ends_the_passing(bench, store):
    from trajekt.server.services.standing_orders import Buy, PassUntil, give
    from trajekt.server.storage.standing_orders import keep, of_seat

    game = in_stock_round(number=3)
    seat = game.to_act[0]
    action, cost = an_offer(game, seat)
    id_ = bench.table.keep(game)
    keep(store, id_, give(game, seat, PassUntil("end")))
    keep(store, id_, give(game, seat, Buy(action.company, action.source, action.percent, cost - 1)))
    result = bench.work.act(bench.table.cache.get(id_))
    assert result == type(result)(None, 2)
    assert {kept.ended for kept in of_seat(store, id_, seat)} == {"dear", "unmet"}
    assert store.number(id_) == game.number


# With a server ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def served(store, post_box):
    sending = NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "http://testserver", grace=0.0)
    with TestClient(create_app(store, sending=sending), base_url="http://testserver") as client:
        yield client


def leaves(friend, address, post_box):
    """A player leaves an address and follows the link of the letter that asks."""
    friend.post("contact", {"mail": address})
    until(lambda: post_box.letters)
    link = re.search(r"/mail/\S+", letters(post_box)[0].get_content())[0]
    assert friend.client.post(link, json={"yes": True}).status_code == 200
    post_box.letters.clear()


def test_letters_link_ends_the_letters(served, post_box):
    id_, people = gathered(served)
    leaves(people["Bert"], "bert@home.example", post_box)
    people["Ada"].passes(0)
    until(lambda: post_box.letters)
    (letter,) = letters(post_box)
    assert f"http://testserver/t/{id_}" in letter.get_content()
    quiet = re.search(r"http://testserver(/quiet/\S+)", letter.get_content())[1]
    assert letter["List-Unsubscribe"] == f"<http://testserver{quiet}>"
    sendings = served.app.state.server.worker.work.sendings
    until(lambda: sendings == {("mail", "sent"): 2})  # counted after it has come; the other one asked before
    served.cookies.clear()
    page = served.get(quiet)
    assert "No more messages to Bert about this table?" in page.text
    assert (
        'name="muted" checked' not in people["Bert"].get("beside").text
    )  # a mail viewer that opens it changes nothing
    assert served.post(quiet, json={}).status_code == 200
    assert 'name="muted" checked' in people["Bert"].get("beside").text
    assert served.get(f"/quiet/{id_}/forged", headers={"accept": "application/json"}).status_code == 404
    other, _ = gathered(served)
    token = quiet.rpartition("/")[2]
    assert served.post(f"/quiet/{other}/{token}", json={}, headers={"accept": "application/json"}).status_code == 404


def test_no_letter_leaves_during_looking(served, post_box, store):
    _, people = gathered(served)
    leaves(people["Bert"], "bert@home.example", post_box)
    leaves(people["Cleo"], "cleo@home.example", post_box)
    people["Bert"].post("looking", {"here": True})
    people["Ada"].passes(0)
    people["Bert"].passes(1)
    until(lambda: post_box.letters)
    until(lambda: job_queue.next_at(store.engine) is None)
    assert [letter["To"] for letter in letters(post_box)] == ["cleo@home.example"]


def test_due_work_is_done_after_restart(store, post_box):
    sending = NotificationConfig(mail.mail_server_of(post_box.url, SENDER), "http://testserver", grace=0.0)
    bench = Bench(store, sending)
    bench.contact(BERT, mail="bert@home.example")
    bench.passes()
    assert [msgspec.json.decode(payload) for _, payload, *_ in bench.jobs()] == [{"number": 1}]
    with TestClient(create_app(store, sending=sending), base_url="http://testserver"):
        until(lambda: post_box.letters)
