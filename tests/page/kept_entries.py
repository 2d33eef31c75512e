"""Entries of a real table that wait in the browser for the connection."""

from __future__ import annotations


def kept_lines(page, count):
    """The entries that are kept, once there are so many."""
    lines = page.locator(".kept li")
    lines.nth(count - 1).wait_for()
    lines.nth(count).wait_for(state="detached")
    return lines


def queue(page, kind, **fields) -> None:
    """Pick a choice without a connection, type its number, and confirm it: it goes behind the others."""
    before = page.locator(".kept li").count()
    option = f"input[name=pick][value*='\"{kind}\"']" + ("[data-spans]" if fields else "")
    if not page.locator(f"#action-form {option}").first.is_checked():
        page.locator(f"#action-form label:has({option})").first.click()
    for name, value in fields.items():
        field = page.locator(f"#detail input[data-field={name}]")
        field.fill(str(value))
    page.locator("#go:not([disabled])").click()
    kept_lines(page, before + 1)
