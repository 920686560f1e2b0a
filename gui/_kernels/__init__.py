"""Compiled kernels of the drawing code; loaded on first use."""
