"""What came of holding robots against what they should do: findings, violations, and their page; of any case."""
