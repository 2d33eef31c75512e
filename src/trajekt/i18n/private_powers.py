"""Powers of private companies in words."""

from __future__ import annotations

from trajekt.i18n.sentences import Speaker


def power_of(speaker: Speaker, private: int) -> str:
    """The power of a private company in the reader's language, else as its component sheet says it in English."""
    say, found = speaker.catalogue, speaker.sheet.privates[private]
    keys = [
        key
        for key in (f"private.does.{found.code}.{speaker.sheet.edition}", f"private.does.{found.code}")
        if key in say
    ]
    text = say.text(keys[0]) if keys else found.does if say.language == "en" else ""
    return text[:1].upper() + text[1:]


def closing_of(speaker: Speaker, private: int) -> str:
    """The end of a private company in words, empty where it never closes."""
    say, sheet = speaker.catalogue, speaker.sheet
    code = sheet.privates[private].code
    keys = [key for key in (f"private.closes.{code}.{sheet.edition}", f"private.closes.{code}") if key in say]
    phase = next((each for each in sheet.phases if each.privates_close), None)
    train = speaker.train(phase.started_by) if phase is not None else ""
    if keys:
        return say.text(keys[0], train=train)
    return say.text("private.closes", train=train) if train else ""
