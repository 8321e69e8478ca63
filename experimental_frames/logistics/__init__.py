"""What is measured of the case logistics, and what is published of it."""
