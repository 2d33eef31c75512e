"""What is looked at: models of all that the page shows, without a request in sight."""
