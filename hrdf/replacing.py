"""Write a file in one step: whoever reads it sees the old one or the new one, whole."""

import errno
import os
import secrets
import shutil
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write beside the file, then put it in its place in one step; links stay links."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(target.parent))
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(beside, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
