"""HRDF text to a robot description: files opened within bounds, XML with lines, every problem."""

from .reader import check, parse, read
from .xml import Node, XmlError, parse_xml

__all__ = ["Node", "XmlError", "check", "parse", "parse_xml", "read"]
