"""Bots: players that sit at a table, and what is measured with them. They know no game by name.

`bot`: what a bot is, how it is found, and `RandomBot`. `steady`: the best idea by plain judgement, and a beginner's.
`caretaker`: a stand-in that risks nothing. `search`: ideas played on. `master`: plans played on, the better half of them
further. `candidate_moves`: ideas, each with its gain and reason. `evaluation`: what a position promises. `seat_facts`: what
it promises as learned from games. `outlook`: a company's rounds to come. `track_valuation`, `train_valuation`: what track,
stations and trains are worth. `founding`: whether a company floats soon. `share_sales`: whether a sale leaves a company to a
rival. `reasons`: reasons in a reader's language. `pass_reasons`: why a bot passes.

`simulation`: whole games with every book checked. `absurd_moves`: blunders counted. `arena`: ratings. `timeline`: how games
go round by round. `executors`: the cores or the cluster where they are played. `checkpoints`: runs that go
on where they stopped. `time_limit`: a bot that does not answer.
"""
