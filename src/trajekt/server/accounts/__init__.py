"""People.

`accounts` (names, passcodes, devices, deletion), `passcodes` (hashes and guesses), `viewer` (the reader of a page).
"""
