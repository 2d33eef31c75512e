"""Review of a played game: runs and lays beside the best ones, accounts of players, and the sentences that sum it up.

`operating_turns`: the turns of companies on the line that stands. `run_review`: the run taken beside the proved best one.
`lay_review`: each lay beside every other legal one in its place. `investments`: the accounts of players with companies.
`settled_deeds`: what is certain because all that can follow is tried. `deed_review`: decisions on money beside their
alternatives, by `playing_on`; `advice`: what heeding them is worth.
`game_review`: all of it as one document, with the worth of players by round. `findings`: the few sentences of a player, each
with its entry and how sure it is. `puzzles`: questions whose answer is proved. `openings`: how games began, over many of them.
`worker`: a review in a process of its own.
"""
