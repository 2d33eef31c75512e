"""The map in play: hexes, the tiles and stations on them, the track they make, and where a company gets.

`hexgrid`: coordinates, neighbours, edges. `board`: contents of the hexes. `track_graph`: pieces of track as a network.
`city_blocking`: where a company's trains may stop and pass. `reachability`: the track and stops that a company reaches.
`upgrades`: which tile may follow on a hex, in which rotation, and where its stops go.
"""
