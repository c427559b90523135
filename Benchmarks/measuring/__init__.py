"""Measures programs beside each other: every run is checked, and a wrong one has no time."""
