"""What robots live in and what they are: environment models, activities, and one folder for each case study."""
