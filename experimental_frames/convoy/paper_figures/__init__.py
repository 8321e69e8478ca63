"""Figures 8 to 11 of Hu & Zeigler, section 4.2, made again from our own runs, with what the paper says beside them."""
