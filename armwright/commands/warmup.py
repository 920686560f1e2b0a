"""``armwright warmup``: compile every kernel ahead of its first use."""

import time

from armwright.commands.shared import Line, Report, progress


def warmup() -> Report:
    """Compile all kernels, so that no first call waits.

    The compiled code is kept in the user's cache folder; run this once after installing.

    Example:
      armwright warmup
    """
    from armwright.kinematics import engine

    start = time.perf_counter()
    entries = engine.entries()
    with progress(len(entries), "compiling") as show:
        for done, (module, name) in enumerate(entries):
            show(done, f"compiling {name}")
            engine.kernel(module, name)
    seconds = time.perf_counter() - start
    data = {"kernels": [f"{module}.{name}" for module, name in entries], "duration": seconds}
    return Report(data, [Line(f"{len(entries)} kernels ready after {seconds:.1f} s", "green")])
