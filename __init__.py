"""For scripts beside a checkout named ``armwright``, which import this folder by that name.

Python finds the folder itself before any installed package, and without this file it would be an
empty namespace: ``import armwright`` would give a package without ``load``. The package is the
folder inside; this module becomes it. Nothing else reads this file, and no wheel holds it.
"""

from pathlib import Path as _Path

if __name__ == "armwright":
    __file__ = str(_Path(__file__).resolve().parent / "armwright" / "__init__.py")
    __path__ = [str(_Path(__file__).parent)]
    exec(compile(_Path(__file__).read_text("utf-8"), __file__, "exec"))
