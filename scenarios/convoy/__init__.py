"""The robot convoy of Hu & Zeigler, section 4."""
