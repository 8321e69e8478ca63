"""Simulations, assertions about traces, and golden traces, for tests of models; a pytest plug-in offers them."""
