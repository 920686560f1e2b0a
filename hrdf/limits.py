"""Bounds on what a reader takes, so that no file can exhaust time or memory.

They are far above every real robot: the largest public one has about seventy elements. An error
about a bound names it and its value.
"""

MAX_FILE_BYTES = 4 * 1024 * 1024
"""Size of one file."""

MAX_TOTAL_BYTES = 16 * 1024 * 1024
"""Size of all files of one robot together."""

MAX_ELEMENTS = 10_000
"""Elements of one robot, outputs counted, includes expanded; also XML elements of one file."""

MAX_XML_DEPTH = 150
"""Nesting of XML elements in one file."""

MAX_OUTPUT_DEPTH = 50
"""Nesting of ``output`` elements of one robot, includes expanded."""

MAX_INCLUDES = 1_000
"""Includes of one robot, each use counted."""

MAX_INCLUDE_DEPTH = 20
"""Files that include files that include files."""

MAX_ATTRIBUTE_LENGTH = 10_000
"""Characters of one attribute's value."""

MAX_MAGNITUDE = 1e50
"""Size of any number of a robot, in SI units, and of one over a gear ratio: products of a few of
them, as in an inertia, stay finite."""

MAX_FORMULA_DEPTH = 50
"""Nesting of parentheses in one formula."""

MAX_PROBLEMS = 200
"""Findings that one error lists; further ones are counted."""

MAX_NEAR = 50
"""Errors of one read that say which names are near."""

MAX_NAME_LENGTH = 200
"""Characters of the name of an XML element, and of a key in YAML."""

MAX_GROUP_VALUES = 500_000
"""Joints of all groups of a robot together."""

MAX_STATE_VALUES = 100_000
"""Values of the named states in all groups of a robot together; a tenth of those of all joints."""

MAX_PATH_LENGTH = 2_000
"""Characters of the path of an XML element, beyond which its middle is left out."""

MAX_YAML_BYTES = 256 * 1024
"""Size of a YAML file that a user writes: a catalog, a configuration, groups."""

MAX_YAML_DEPTH = 10
"""Nesting in such a file."""
