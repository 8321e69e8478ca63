"""Experimental frames: generators, transducers and acceptors, and what is made of their measurements."""
