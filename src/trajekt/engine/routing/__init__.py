"""Routes: what a company's trains may earn, and the search for the best runs.

`runs`: runs as submitted, what they are judged by and what they earn; a game's trains as numbers for the search. `segments`:
the board cut at the counted stops. `bounds`: the most that a route not yet complete may earn. `enumeration`: the routes of one
kind of train. `solver`: the best set of routes, one for each train on track of its own.
"""
