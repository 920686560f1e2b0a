"""Try an installed armwright away from the checkout: ``python -I scripts/smoke.py ARMS_FOLDER``.

CI runs this with a wheel, a source distribution and both kinds of ``pip install`` of the folder.
It needs numpy and the package alone, and fails with a traceback when anything is missing.
"""

import json
import subprocess
import sys
from pathlib import Path


def main(arms: Path) -> None:
    """Import, load, compute, and run the command line."""
    import armwright

    assert not set(sys.modules) & {"numba", "scipy", "matplotlib", "hebi", "mujoco", "xmltodict"}
    text = (arms / "six_dof.hrdf").read_text(encoding="utf-8")
    model = armwright.loads(text)  # needs the catalog's data files
    assert model.dof == 6, model.dof
    for name in armwright.examples.names():  # the arms that come with the package
        shipped = armwright.examples.path(name)
        assert shipped.read_bytes() == (arms / shipped.name).read_bytes()
    assert len(armwright.examples.names()) == len(list(arms.glob("*.hrdf")))
    assert armwright.examples.path("six_dof.cfg.yaml").is_file()
    q = [0.1, 0.7, 1.2, -0.4, 0.3, 0.0]
    T_world_tool = model.end_effector(q)
    assert T_world_tool.shape == (4, 4)
    assert model.jacobian(q).shape == (6, 6)
    assert abs(model.gravity_efforts(q)).max() > 0.1

    from armwright import devices, gui, hrdf, ik

    result = ik.solve(model, [0.0, 0.8, 1.4, 0.2, 0.1, 0.0], ik.position(T_world_tool[:3, 3]))
    assert result.success, result.message
    assert hrdf.parse(hrdf.write(model.description)) == model.description
    with devices.simulate(model) as group:
        assert group.feedback().position.shape == (6,)
    assert gui.plot_model.__module__.startswith("armwright.gui")

    script = Path(sys.executable).with_name("armwright")
    for command in ([str(script)], [sys.executable, "-m", "armwright"]):
        answer = subprocess.run(
            [*command, "info", str(arms / "six_dof.hrdf"), "--json"],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
        assert json.loads(answer.stdout), answer.stdout

    where = Path(hrdf.__file__).resolve()
    print(f"ok: armwright {armwright.__version__} from {where.parent}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
