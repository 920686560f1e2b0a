"""Run the README's first command in a copy of the checkout: ``python scripts/main_job.py COPY``.

The copy makes the environments it needs. The command has to leave a picture, and to say that the
arm arrived.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path


def main(copy: Path) -> None:
    """Run the command as it stands, look at the picture, and run it once more for its numbers."""
    import matplotlib.image

    lines = (copy / "README.md").read_text(encoding="utf-8").splitlines()
    command = next(line for line in lines if line.startswith("scripts/armwright reach "))
    print("$", command, flush=True)
    subprocess.run(shlex.split(command), cwd=copy, check=True)
    picture = matplotlib.image.imread(copy / "reach.png")
    assert min(picture.shape[:2]) >= 300, picture.shape
    assert picture[..., :3].std() > 0.02, "the picture is empty"

    done = subprocess.run(
        [*shlex.split(command), "--json"], cwd=copy, check=True, stdout=subprocess.PIPE
    )
    error = json.loads(done.stdout)["position_error"]
    assert error < 0.002, error
    print("picture", picture.shape, "position error", error, "m")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
