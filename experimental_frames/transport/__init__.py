"""The experimental frame of swarm transportation: deliveries, paths, talk and traffic."""
