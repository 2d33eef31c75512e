"""What reaches those who are not looking: notices by mail and webhook, and the work that is due."""
