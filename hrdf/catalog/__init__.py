"""The part catalog: every type an element can name, as data files in this folder."""

from .catalog import Catalog, load_catalog

__all__ = ["Catalog", "load_catalog"]
