"""Compiled kernels of inverse kinematics; loaded on first use by ``kinematics/engine.py``."""
