"""Files that show a recording without this project: pages, animations, films, and pictures for papers."""
