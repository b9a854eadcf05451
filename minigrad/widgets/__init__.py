"""Widgets for notebooks. Importing this package imports nothing; `Stepper` is in `stepper`."""
