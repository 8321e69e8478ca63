"""Localisation by a camera above the field: markers in pictures, and where they say that robots are."""
