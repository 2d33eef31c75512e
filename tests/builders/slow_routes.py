"""Every walk on the track of a small board: what the searches of best runs are compared with."""

from __future__ import annotations

from collections.abc import Iterator

from trajekt.engine.board.track_graph import Network


def every_walk(network: Network, most: int) -> Iterator[tuple[str, ...]]:
    """The track from stop to stop, each once and not backwards too: at most so many stops, none of them and no track twice.

    Within a hex that is no stop nobody turns round. Whether a train may run there is left to the judge.
    """
    seen: set[tuple[str, ...]] = set()

    def go(node: int, used: tuple[int, ...], visited: frozenset[int]) -> Iterator[tuple[str, ...]]:
        if used and network.is_stop(node):
            refs = tuple(network.tracks[piece].ref for piece in used)
            key = min(refs, refs[::-1])
            if key not in seen:
                seen.add(key)
                yield refs
            if len(visited) >= most:
                return
        for piece in network.at[node]:
            if piece in used:
                continue
            if not network.is_stop(node) and used and network.tracks[used[-1]].hex == network.tracks[piece].hex:
                continue
            other = network.other_end(piece, node)
            if other not in visited:
                yield from go(other, (*used, piece), visited | {other} if network.is_stop(other) else visited)

    for stop in network.stops:
        yield from go(stop.node, (), frozenset({stop.node}))
