"""Hands at a page: they see what it shows and use what it offers, nothing else."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

TAKEN = "[data-choice]"


class Hands:
    """Plays on an open table. `log` keeps what was confirmed, by the words on the button."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self.touch = touch
        self.log: list[str] = []

    @property
    def number(self) -> int:
        return int(self.page.locator("#app").get_attribute("data-number") or 0)

    @property
    def round(self) -> str:
        return (self.page.locator("#app").get_attribute("data-title") or "").split(" · ")[0]

    @property
    def step(self) -> str:
        at = self.page.locator("#now .steps [aria-current=step]")
        return at.text_content() or "" if at.count() else ""

    def press(self, target: Locator) -> None:
        if self.touch:
            target.tap()
        else:
            target.click()

    def settled(self, before: int) -> None:
        """Wait until the page shows a later position than `before`."""
        self.page.wait_for_function("n => Number(document.getElementById('app').dataset.number) > n", arg=before)

    def confirm(self) -> str:
        go = self.page.locator("#go:not([disabled])")
        go.wait_for()
        words, before = go.text_content() or "", self.number
        self.press(go)
        self.settled(before)
        self.log.append(words.strip())
        return words

    def quick(self, kind: str) -> None:
        before = self.number
        button = self.page.locator(f"#action-form {TAKEN}", has_text="").filter(visible=True)
        wanted = self.page.locator(f"#action-form [data-choice*='\"{kind}\"']").first
        assert button.count()
        self.press(wanted)
        self.settled(before)
        self.log.append(kind)

    def offers(self, kind: str) -> Locator:
        """The choices of a kind that may be picked."""
        return self.page.locator(f'#action-form label:has(input[name=pick][value*=\'"kind":"{kind}"\'])')

    def can(self, kind: str) -> bool:
        return self.offers(kind).count() > 0

    def choose(self, kind: str, part: str = "") -> str:
        """Pick a choice and confirm it."""
        found = self.offers(kind)
        wanted = found.filter(has=self.page.locator(f"input[value*='{part}']")) if part else found
        self.press(wanted.first)
        return self.confirm()

    def hex_in_view(self, name: str) -> tuple[float, float]:
        box = self.page.locator(f"#map-view .hex[data-hex='{name}'] .hit").bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def lit(self) -> list[str]:
        return self.page.locator("#map-view .hex.lit").evaluate_all("all => all.map(hex => hex.dataset.hex)")

    def pick_hex(self, name: str) -> None:
        x, y = self.hex_in_view(name)
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)
        self.page.locator("#hexbox .hexhead").wait_for()

    def lay(self, name: str, tile: int = 0) -> str:
        """Lay one of the tiles that the page offers on a hex, in its first legal turn."""
        self.pick_hex(name)
        picks = self.page.locator(".tile-pick")
        if picks.count() > 1:
            self.press(picks.nth(tile))
        self.page.locator("#map-view .tile-preview").wait_for(state="attached")
        return self.confirm()

    def play_on(self) -> None:
        """Do something sensible with what is on offer."""
        if self.can("set_par"):
            self.choose("set_par")
        elif self.can("buy_private"):
            self.choose("buy_private")
        elif self.can("buy_share"):
            self.choose("buy_share")
        elif self.can("found"):
            self.choose("found")
        elif self.page.locator("#app[data-mode=run]").count() or self.can("pay_out"):
            self.confirm()
        elif (
            self.can("buy_train")
            and self.offers("buy_train").filter(has=self.page.locator("input[value*='display']")).count()
        ):
            self.choose("buy_train", "display")
        elif self.lit() and self.page.locator("#app[data-mode=map]").count() and "own" not in self.step:
            self.lay(self.lit()[0])
        else:
            self.quick("pass")
