"""Component sheets: everything printed on cardboard, read from TOML into typed values.

`schema`: the types. `loader`: a file in, a `Sheet` or every fault out. `editions`: one edition, its variants and an owner's
file laid over one another. `parsing`: entries from tables, each key known. `validation`: checks of a sheet as a whole.
`map_validation`: checks of the printed map against the tiles. `number_validation`: numbers and
order that could not be played. `corrections`: an owner's file beside the printed sheet. `agreement`: entries that
say the same thing twice. `component_sets`: the differences
of one printed copy under a name. `component_set_writing`: a set as a file. `provenance`: sources of the facts, and faults.
"""
