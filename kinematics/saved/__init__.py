"""Models in files: written whole, read back bit by bit, refused when anything is odd."""

from .loading import load
from .saving import save

__all__ = ["load", "save"]
