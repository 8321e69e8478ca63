"""From settings to what a run is made of: poses, who is real, the model, the laboratory."""
