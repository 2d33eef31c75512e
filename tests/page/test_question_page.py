"""The pages to which letters lead: nothing happens before a button is pressed, and the answer is on the page."""

from __future__ import annotations

import httpx2
import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.server.friends import NEW
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.notifications import notification_settings
from trajekt.server.storage.contacts import contact_info
from trajekt.server.storage.game_cache import GameCache
from trajekt.server.storage.store import Store

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BERT = 1
HOME = "bert@home.example"


def test_letters_need_one_press(server, opened):
    made = httpx2.post(f"{server.address}/tables", json=NEW, timeout=20).json()
    id_, token = made["id"], made["seats"][BERT]["address"].partition("#")[2]
    head = {"authorization": f"Bearer {token}"}
    httpx2.post(f"{server.address}/t/{id_}/contact", json={"mail": HOME}, headers=head, timeout=20).raise_for_status()
    store = Store(server.url)
    accounts = Accounts(GameCache(store))

    def kept():
        info = contact_info(store, id_, BERT)
        assert info
        return info.confirmed, info.contact.muted

    page = opened(PHONE)
    page.goto(f"{server.address}/mail/{id_}/{notification_settings.mail_token(accounts, id_, BERT, HOME)}")
    assert kept() == (False, False)
    page.locator("button", has_text="Ja, bitte senden").tap()
    page.locator(".lead", has_text="E-Mails kommen, wenn du nicht da bist").wait_for()
    assert kept() == (True, False)
    assert not page.locator("button").count()

    page = opened(DESKTOP)
    page.goto(f"{server.address}/quiet/{id_}/{notification_settings.quiet_token(accounts, id_, BERT)}")
    page.get_by_role("button", name="No more messages").click()
    page.locator(".lead", has_text="Unsubscribed.").wait_for()
    assert kept() == (True, True)

    page.goto(
        f"{server.address}/mail/{id_}/{notification_settings.mail_token(accounts, id_, BERT, 'old@home.example')}"
    )
    page.get_by_role("button", name="Yes, send them").click()
    page.locator(".lead", has_text="The player has left another address since.").wait_for()
    store.close()
