"""Notes: small values of a frame or an event that stored JSON holds as one readable text, `declined:BME:4:120`.

A kind of note names its parts by annotations, each a text without a colon or a whole number. Nothing else makes or takes apart
the text: `encoded` writes it where msgspec meets a note, `decoder` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform


class Note:
    """A value that is stored as one text: a member of an enumeration of words, or a `Detail`."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the note that a text tells. Raises ValueError where it tells none of this kind."""
        raise NotImplementedError


@dataclass_transform(frozen_default=True, eq_default=True)
class Detail(Note):
    """A note of several parts, behind the word of its kind where it has one. Frozen; equal to one of its kind with equal parts.

    >>> class Seen(Detail, word="seen"):
    ...     hex: str
    ...     times: int
    >>> Seen("G8", 2), Seen("G8", 2) == Seen.read("seen:G8:2")
    (Seen(hex='G8', times=2), True)
    >>> str(Seen("G8", 2))
    'seen:G8:2'
    """

    word: ClassVar[str] = ""
    parts: ClassVar[dict[str, type[str | int]]] = {}

    def __init_subclass__(cls, word: str = "") -> None:
        cls.word = word
        cls.parts = {name: int if hint in ("int", int) else str for name, hint in cls.__annotations__.items()}

    def __init__(self, *values: str | int, **named: str | int) -> None:
        self.__dict__.update(zip(self.parts, values, strict=False), **named)
        if len(values) > len(self.parts) or self.__dict__.keys() != self.parts.keys():
            message = f"{type(self).__name__} has the parts {', '.join(self.parts)}"
            raise TypeError(message)

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        message = f"a {type(self).__name__} is frozen"
        raise AttributeError(message)

    __delattr__ = __setattr__

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def __str__(self) -> str:
        values = [str(self.__dict__[name]) for name in self.parts]
        return ":".join([self.word, *values] if self.word else values)

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the note that a text tells. Raises ValueError where it tells none of this kind."""
        word, values = [cls.word] if cls.word else [], text.split(":")
        if values[: len(word)] != word or len(values) != len(word) + len(cls.parts):
            message = f"no {cls.__name__}: {text!r}"
            raise ValueError(message)
        return cls(*(kind(value) for kind, value in zip(cls.parts.values(), values[len(word) :], strict=True)))


def encoded(value: object) -> str:
    """Return the text of a note, for msgspec, which knows enumerations itself. Raises TypeError for any other value."""
    if isinstance(value, Detail):
        return str(value)
    message = f"no value of a position or an event: {type(value).__name__}"
    raise TypeError(message)


def decoder(kinds: Iterable[type[Note]]) -> Callable[[type[Any], Any], Any]:
    """Return what reads notes for msgspec; a field that holds a `Note` of any kind may hold one of these.

    Raises ValueError where two kinds have the same word.
    """
    words: dict[str, Note] = {}
    details: dict[str, type[Note]] = {}
    for kind in kinds:
        found = {each.value: each for each in kind} if issubclass(kind, Enum) else {}
        named = {} if found else {getattr(kind, "word", ""): kind}
        if twice := (words.keys() & found.keys()) | (details.keys() & named.keys()):
            message = f"two kinds of notes have the word {', '.join(sorted(twice))}"
            raise ValueError(message)
        words |= found
        details |= named

    def read(kind: type[Any], text: Any) -> Any:
        if not issubclass(kind, Note):
            return text  # a field of any value
        if not isinstance(text, str):
            message = f"no {kind.__name__}: {text!r}"
            raise TypeError(message)
        if kind is not Note:
            return kind.read(text)
        if text in words:
            return words[text]
        behind = details.get(text.partition(":")[0])
        if behind is None:
            message = f"no note of this game: {text!r}"
            raise ValueError(message)
        return behind.read(text)

    return read
