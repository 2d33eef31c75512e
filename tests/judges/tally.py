"""What a match between judges and the engine has come to: how many questions, how many left open, every disagreement."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """`asked` counts questions by kind, `legal` those that both call legal, `open` those that a judge could not decide.

    `refused` counts the codes of the engine's refusals.
    """

    positions: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    legal: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def compare(self, kind: str, judge: object, engine: object, what: object) -> None:
        """Count one question. Both answers are empty (or None) where an action is legal."""
        self.asked[kind] += 1
        if engine:
            self.refused[str(engine).partition(" ")[0]] += 1
        if not judge and not engine:
            self.legal[kind] += 1
        elif bool(judge) != bool(engine):
            self.faults.append(f"{kind} {what}: the judge says {judge or 'legal'}, the engine {engine or 'legal'}")

    def equal(self, kind: str, judge: object, engine: object, what: object) -> None:
        """Count one figure that both have worked out."""
        self.asked[kind] += 1
        self.legal[kind] += 1
        if judge != engine:
            self.faults.append(f"{kind} {what}: the judge has {judge}, the engine {engine}")

    def add(self, other: Tally) -> None:
        """Take in another tally."""
        self.positions += other.positions
        self.asked += other.asked
        self.legal += other.legal
        self.open += other.open
        self.refused += other.refused
        self.faults += other.faults

    def lines(self) -> list[str]:
        """The figures as a table in Markdown."""
        figures = [(kind, self.asked[kind], self.legal[kind], self.open[kind]) for kind in sorted(self.asked)]
        rows = [f"| {kind} | {asked:,} | {legal:,} | {left:,} |" for kind, asked, legal, left in figures]
        return ["| question | asked | legal | left open |", "|---|---|---|---|", *rows]
