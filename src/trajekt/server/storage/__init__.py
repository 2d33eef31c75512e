"""What is kept: the database and its migrations, cached games, and who is told that something has changed."""
