"""The web: routes, what guards them, the application and its start."""
