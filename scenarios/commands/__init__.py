"""What the commands of the command line do, where it takes more than a few lines."""
