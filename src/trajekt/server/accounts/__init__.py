"""Who is at a table: people and their devices, seats, what they say, note and ask of one another."""
