"""Tools for learning machines: games as environments and as data (extra `rl`).

`environment`: PettingZoo environments. `vector_environment`: many of them, over processes. `observation`: positions as arrays.
`observation_layout`: their sizes and the meaning of each column. `board_features`: the board as a graph and as planes.
`choice_list`: what is legal, as a list. `action_features`: actions as rows of numbers. `name_codes`: numbers for names.
`game_dataset`: whole games as arrays in files.
"""

from importlib.util import find_spec as _find_spec

if not all(map(_find_spec, ("numpy", "pettingzoo"))):
    message = "learning machines need their extra: in the folder of trajekt, pip install '.[rl]'"
    raise ModuleNotFoundError(message)
