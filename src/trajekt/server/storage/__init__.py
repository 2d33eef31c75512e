"""What is kept: the database and its migrations, hot games, and who is told that something has changed."""
