"""Delivery of a notice by one of its ways: a letter, a webhook, a message to a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parseaddr
from urllib.parse import urlsplit

from trajekt.game import Game
from trajekt.server.accounts.accounts import Accounts
from trajekt.server.accounts.viewer import Viewer
from trajekt.server.notifications import mail, messages, notification_settings, web_push, webhook
from trajekt.server.storage import chat, push_subscriptions
from trajekt.server.storage.contacts import NAMED, ContactInfo, NoticeJob
from trajekt.server.storage.push_subscriptions import PushSubscription
from trajekt.server.storage.store import Store

NOBODY = "mailto:nobody@trajekt.invalid"
"""Sender of messages to devices where the host has named neither a mail sender nor a public address."""


@dataclass(frozen=True, slots=True)
class NotificationConfig:
    """Settings of notices. `address` is where the public reaches it, and stands in every notice.

    `grace` are the seconds in which somebody who acts at once is not told. `private_hooks` lets notices into the own network.
    """

    post: mail.MailServer | None = None
    address: str = ""
    grace: float = 20.0
    private_hooks: bool = False


@dataclass(eq=False)
class Delivery:
    """Delivery of the notices of a process. All of it blocks: call it in a thread."""

    store: Store
    accounts: Accounts
    sending: NotificationConfig = field(default_factory=NotificationConfig)
    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Notices of this process, by way (`mail`, `hook`, `push`) and outcome (`sent`, `failed`)."""
    keys: web_push.VapidKeys = field(init=False)

    def __post_init__(self) -> None:
        self.keys = web_push.VapidKeys(self.store)

    @property
    def base(self) -> str:
        """The address of the server, without a slash behind it."""
        return self.sending.address.rstrip("/")

    def deliver(self, id_: str, game: Game, notice: NoticeJob, info: ContactInfo) -> bool:
        """Send a notice by its way; false where the seat has no such way by now. Raises as the ways do."""
        ways: dict[str, Callable[[str, Game, NoticeJob, ContactInfo], bool]] = {
            "mail": self.letter,
            "hook": self.hook,
            "push": self.push,
        }
        sent = ways[notice.way](id_, game, notice, info)
        if sent:
            self.counted[notice.way, "sent"] += 1
        return sent

    def asked(self, id_: str, notice: NoticeJob) -> messages.Asked:
        """Return what a notice tells of."""
        said = chat.quoted(self.store, id_, notice.number) if notice.kind == NAMED else None
        return messages.Asked(notice.seat, notice.kind, said)

    def letter(self, id_: str, game: Game, notice: NoticeJob, info: ContactInfo) -> bool:
        """Send a letter to a confirmed address. Raises `OSError` or `smtplib.SMTPException`."""
        post, to = self.sending.post, info.contact.mail
        if post is None or not to or not info.confirmed:
            return False
        token = notification_settings.quiet_token(self.accounts, id_, notice.seat)
        quiet = f"{self.base}/quiet/{id_}/{token}"
        letter = messages.letter_of(game, self.asked(id_, notice), info.contact.language, f"{self.base}/t/{id_}", quiet)
        mail.send(post, mail.letter(post.sender, to, letter.subject, letter.text, quiet), to)
        return True

    def hook(self, id_: str, game: Game, notice: NoticeJob, info: ContactInfo) -> bool:
        """Tell a webhook. Raises `webhook.HookFailure` and `webhook.HookError`."""
        if not info.contact.hook:
            return False
        payload = messages.hook_notice(
            game, self.asked(id_, notice), info.contact.language, f"{self.base}/t/{id_}", id_
        )
        webhook.send(info.contact.hook, info.contact.form, payload, private=self.sending.private_hooks)
        return True

    def push(self, id_: str, game: Game, notice: NoticeJob, _info: ContactInfo) -> bool:
        """Call a device, which is forgotten where that has failed too often. Raises `webhook.HookFailure`."""
        device = push_subscriptions.subscription_of(self.store, notice.device)
        if device is None:
            return False
        self.call(device, messages.push_message(game, self.asked(id_, notice), device.language, f"/t/{id_}"))
        return True

    def call(self, device: PushSubscription, message: web_push.PushMessage) -> None:
        """Send a message to a device and count what became of it. Raises `webhook.HookFailure` where it may be tried again."""
        private = self.sending.private_hooks
        try:
            web_push.send(self.keys, self.sender, device, message, private=private)
        except (web_push.SubscriptionGoneError, webhook.HookError) as fault:
            push_subscriptions.note_result(self.store, device.device, taken=False, gone=True)
            raise webhook.HookFailure(str(fault), again=False) from fault
        except webhook.HookFailure as fault:
            known = push_subscriptions.note_result(self.store, device.device, taken=False)
            raise webhook.HookFailure(str(fault), again=known and fault.again) from fault
        if device.failures:
            push_subscriptions.note_result(self.store, device.device, taken=True)

    @property
    def sender(self) -> str:
        """The address of the host that services of browsers are told."""
        if self.sending.post is not None:
            return f"mailto:{parseaddr(self.sending.post.sender)[1]}"
        public = urlsplit(self.sending.address)
        return f"https://{public.hostname}" if public.scheme == "https" and public.hostname else NOBODY

    def try_device(self, device: PushSubscription) -> None:
        """Send a message that only shows that messages come. Raises `webhook.HookFailure`."""
        say = Viewer(device.language).catalogue()
        message = web_push.PushMessage(say.text("page.push.try"), say.text("page.push.try.text"), "/me", "try")
        self.call(device, message)
        self.counted["push", "sent"] += 1

    def confirm(self, to: str, letter: messages.Letter) -> None:
        """Send the letter that asks whether letters may come. Raises `OSError` or `smtplib.SMTPException`."""
        if self.sending.post is None:
            return
        mail.send(self.sending.post, mail.letter(self.sending.post.sender, to, letter.subject, letter.text), to)
        self.counted["mail", "sent"] += 1
