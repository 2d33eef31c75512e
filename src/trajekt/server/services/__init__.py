"""What happens at a table: actions, undo, programs, clock, instructions in advance."""
