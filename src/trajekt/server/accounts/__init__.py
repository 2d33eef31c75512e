"""People.

`accounts` (names, passcodes, devices, deletion), `passcodes` (hashes and guesses), `signing` (of cookies and links), `viewer`
(the reader of a page).
"""
