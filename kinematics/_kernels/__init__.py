"""Compiled kernels of kinematics and gravity; loaded on first use by ``kinematics/engine.py``."""
