"""Drawings of a game as SVG, without a request or a file in sight.

The map: `map` puts it together in layers; `hex_drawing` draws one hex, `tile_layout` plans where its stops lie, `track_curves`
and `hex_geometry` give the lines, `label_placement` finds room for lettering, `offboard_areas` draws the red hexes, `river`
the river, `station_overlay` stations and values that change, `route_lines` the routes; `landmarks` are few large names for a
map seen whole on a phone; `map_legend` is the key.

Beside the map: `tile_drawing` (tiles by themselves), `drawing_handles` (what one
presses to draw on them), `stock_market`, `charts`, `charters`, `component_sheets` (pictures that
stand alone), `token_symbols` (tokens and marks).

`theme` holds a game's look as data, `colours` those of page and map, light and dark, `styles` the rules as CSS; `hex_cache`
and `drawing_cache` keep what was drawn.
"""
