"""Judges written from the rulebooks, held against the engine."""
