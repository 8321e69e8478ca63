"""What sensors and batteries cost: processor time with and without them, read at every tick and watched."""
