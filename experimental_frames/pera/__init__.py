"""Mixed reality as Karunarathna et al. measured it: collisions, delays of sensing, round trips, scalability."""
