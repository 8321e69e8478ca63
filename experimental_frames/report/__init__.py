"""Reports: self-contained pages that open offline."""
