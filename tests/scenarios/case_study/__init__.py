"""Tests of anybody's case studies: a class in a file of their own."""
