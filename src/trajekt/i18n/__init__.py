"""Words in the reader's language.

`sentences` reads the catalogues (`de.toml`, `en.toml`, here and beside each game) and tells actions, events, choices and
refusals; `spoken` describes the map and the market for screen readers; `rule_texts` reads the requirements in our own words;
`charters` what stands on a company's charter, `private_powers` what private companies can do; `glossary` explains the words
that a newcomer does not know; `filled_sentences` tells in German what the engine says in English of component sheets.
"""
