"""A phone whose page is closed is called to its turn, without a connection it says so, and the page installs as an app."""

from __future__ import annotations

import json

import pytest

from tests.page.conftest import DESKTOP, PHONE
from tests.page.friends import gathered, sits
from tests.server.notifications.push_service import Browser, push_service, text_of
from tests.server.processes import ServerProcess
from tests.server.waiting import until

pytestmark = pytest.mark.browser

SUBSCRIBED = """
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)).buffer;
const KEYS = { p256dh: bytes(%(point)s), auth: bytes(%(secret)s) };
const made = () => ({
  endpoint: %(endpoint)s,
  options: { applicationServerKey: new Uint8Array(65).buffer },
  getKey: (name) => KEYS[name],
  unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
});
PushManager.prototype.subscribe = async (asked) => {
  if (asked.applicationServerKey.length !== 65 || !asked.userVisibleOnly) throw new Error("no key of a server");
  localStorage.setItem("subscribed", "yes");
  return made();
};
PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? made() : null);
Notification.requestPermission = async () => "granted";
"""
"""A browser's own service, which a test does not have; all else is the browser's."""


@pytest.fixture
def service():
    with push_service() as found:
        yield found


@pytest.fixture
def server(tmp_path):
    made = ServerProcess(tmp_path / "tables.db", private_hooks=True)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def phone(server, service, opened):
    """Bert's phone, at whose table Ada is to move first; he has wished to be called on it."""
    ada_page, page = opened(DESKTOP), opened(PHONE)
    page.browser_keys = Browser()
    words = {"endpoint": service.url, "point": text_of(page.browser_keys.point)}
    words["secret"] = text_of(page.browser_keys.secret)
    page.context.add_init_script(SUBSCRIBED % {name: json.dumps(word) for name, word in words.items()})
    page.context.grant_permissions(["notifications"], origin=server.address)
    links = gathered(ada_page, server)
    page.ada = sits(ada_page, links[0])
    sits(page, links[1])
    page.locator("header [data-action=toggle-sidebar]").tap()
    page.locator("#calls [data-action=toggle-push]").tap()
    page.locator("#calls [data-action=toggle-push][aria-pressed=true]").wait_for()
    return page


def delivered(page, message):
    """The browser hands a message to the service worker, as its maker's service would."""
    session = page.context.new_cdp_session(page)
    found = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    assert until(lambda: page.evaluate("1") and found)
    origin = page.evaluate("location.origin")
    value = {"origin": origin, "registrationId": found[0]["registrationId"], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", value)
    session.detach()
    page.wait_for_function(
        "() => navigator.serviceWorker.getRegistration('/').then((r) => r.getNotifications()).then((all) => all.length)"
    )
    return page.evaluate(
        "navigator.serviceWorker.getRegistration('/').then((r) => r.getNotifications())"
        ".then((all) => all.map((each) => [each.title, each.body, each.data, each.tag]))"
    )


def opened_by(page, context):
    """Where a press on the notice leads: a window is opened for a finger alone, so the worker's wish is noted."""
    worker = context.service_workers[0]
    worker.evaluate("""() => {
        self.asked = [];
        self.clients.openWindow = async (address) => void self.asked.push(address);
    }""")
    worker.evaluate(
        """async () => {
            const [notification] = await self.registration.getNotifications();
            self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
        }"""
    )
    assert until(lambda: worker.evaluate("self.asked.length"))
    assert (
        page.evaluate(
            "navigator.serviceWorker.getRegistration('/').then((r) => r.getNotifications()).then((all) => all.length)"
        )
        == 0
    )
    return worker.evaluate("self.asked")


def test_closed_phone_is_called(phone, server, service):
    context, table = phone.context, phone.evaluate("location.pathname")
    phone.close()
    phone.ada.quick("pass")
    assert until(lambda: service.asked, 60)  # after the grace in which somebody at the page would act
    message = phone.browser_keys.opened(service.asked[0][2])
    assert message["title"] == "Bert: kaufen, bieten oder passen?"
    elsewhere = context.new_page()
    elsewhere.goto(f"{server.address}/offline")
    ((title, body, address, tag),) = delivered(elsewhere, message)
    assert (title, body) == (message["title"], message["text"])
    assert address == tag == table
    assert opened_by(elsewhere, context) == [table]


def test_notice_to_try_comes_by_keyboard(phone, service):
    button = phone.locator("#calls [data-action=try-push]")
    button.focus()
    phone.keyboard.press("Enter")
    assert until(lambda: service.asked, 30)
    assert phone.browser_keys.opened(service.asked[0][2])["title"] == "Ein Versuch"
    phone.get_by_text("Eine Nachricht ist unterwegs").wait_for()


def test_ended_subscription_is_told(phone, service):
    service.status = 410
    phone.locator("#calls [data-action=try-push]").tap()
    phone.get_by_text("Die andere Seite hat die Nachricht nicht angenommen").wait_for()


def test_switched_off_device_is_not_called(phone, service):
    phone.locator("#calls [data-action=toggle-push]").tap()
    phone.locator("#calls [data-action=toggle-push][aria-pressed=false]").wait_for()
    assert phone.locator("#calls [data-action=try-push]").is_hidden()
    answer = phone.context.request.post(phone.evaluate("location.origin") + "/me/push/try", data={})
    assert (answer.status, answer.json()["error"]["code"]) == (409, "not_called")
    assert not service.asked


def test_quiet_hours_are_kept(phone):
    form = phone.locator("#calls form.quiet")
    form.locator("[name=start]").fill("22:30")
    form.locator("[name=end]").fill("07:00")
    form.locator("button").tap()
    phone.get_by_text("Gespeichert").first.wait_for()
    phone.goto(phone.evaluate("location.origin") + "/me")
    shown = phone.locator("#calls form.quiet")
    assert shown.locator("[name=start]").input_value() == "22:30"
    assert shown.locator("[name=end]").input_value() == "07:00"


def test_page_without_connection_says_so(phone, server):
    phone.evaluate("navigator.serviceWorker.ready.then((r) => r.active.state)")
    phone.wait_for_function("() => caches.match('/offline').then((found) => Boolean(found))")
    table = phone.url
    server.kill()
    phone.goto(table)
    phone.get_by_role("heading", name="Keine Verbindung").wait_for()
    assert phone.locator("#app").count() == 0  # no table of the past
    server.start()
    phone.get_by_role("button", name="Noch einmal versuchen").tap()
    phone.locator("#app[data-number='0']").wait_for()


def test_page_moves_on_beside_service_worker(phone):
    phone.reload()
    phone.locator("html[data-ready=yes]").wait_for()
    assert phone.evaluate("Boolean(navigator.serviceWorker.controller)")
    phone.ada.quick("pass")
    phone.locator("#app[data-number='1']").wait_for()


def test_unwished_page_has_no_worker(server, opened):
    page = opened(DESKTOP)
    page.goto(server.address + "/")
    page.locator("[data-choose]").first.wait_for()
    page.wait_for_load_state("load")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_page_installs_as_app(server, opened):
    page = opened(PHONE)
    page.goto(server.address + "/")
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert not found["errors"]
    manifest = json.loads(found["data"])
    assert (manifest["display"], manifest["scope"], manifest["lang"]) == ("standalone", "/", "de")
    for icon in manifest["icons"]:
        answer = page.context.request.get(server.address + icon["src"])
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, icon["type"])
    faults = {each["errorId"] for each in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert faults <= {"in-incognito"}
