"""Motions in closed form: each is known exactly at any instant, without a step from the instant before."""
