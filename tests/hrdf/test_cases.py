"""The shared cases about the format, with their own inputs and answers."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import HrdfError
from armwright.hrdf import RigidBody, parse, read, walk

pytestmark = pytest.mark.shared
Cases = dict[str, dict[str, Any]]


def test_c01_numbers_do_not_depend_on_the_locale(cases: Cases) -> None:
    case = cases["C01"]
    (body,) = parse(case["input"]["hrdf_ok"]).elements
    assert isinstance(body, RigidBody)
    assert body.mass == case["expect"]["hrdf_ok"]["mass"]
    assert list(body.output_poses[0].translation) == case["expect"]["hrdf_ok"]["output_xyz"]
    for name in ("hrdf_bad", "hrdf_bad_vector"):
        with pytest.raises(HrdfError) as info:
            parse(case["input"][name])
        for word in case["expect"][name]["message_must_contain"]:
            assert word in str(info.value)


@pytest.mark.usefixtures("comma_locale")
def test_c01_in_a_process_with_a_comma_locale(cases: Cases, root: Path) -> None:
    case = cases["C01"]
    code = (
        "import locale, sys\n"
        "try: locale.setlocale(locale.LC_ALL, '')\n"
        "except locale.Error: sys.exit(7)\n"
        "from armwright.hrdf import parse\n"
        "print(repr(parse(sys.stdin.read()).elements[0].mass))\n"
    )
    environment = {**os.environ, **case["input"]["run_with_env"], "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=case["input"]["hrdf_ok"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode == 7:
        pytest.skip("the locale of the case is not installed")
    assert done.stdout.strip() == "0.9", done.stderr


def test_c03_loops(cases: Cases, tmp_path: Path) -> None:
    case = cases["C03"]
    for name, text in case["input"]["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("self.hrdf", "a.hrdf"):
        with pytest.raises(HrdfError, match="includes itself") as info:
            read(tmp_path / name)
        for word in case["expect"][name]["message_must_name_the_cycle"]:
            assert word in str(info.value)
    twice = read(tmp_path / "twice.hrdf")
    joints = [p for p in walk(twice) if p.element.kind == "joint"]
    assert len(joints) == case["expect"]["twice.hrdf"]["dof"]
    np.testing.assert_array_equal(twice.base_frame, np.eye(4))


def test_c05_negative_axes_are_read_with_a_warning(cases: Cases) -> None:
    d = parse(cases["C05"]["input"]["hrdf"])
    assert [e.axis for e in d.elements if e.kind == "joint"] == ["-rz", "-rz"]  # type: ignore[union-attr]
    assert len(d.warnings) == 2


def test_c16_chains_may_end_in_fixed_parts(cases: Cases) -> None:
    kinds = [e.kind for e in parse(cases["C16"]["input"]["hrdf"]).elements]
    assert kinds == ["joint", "rigid-body", "rigid-body", "rigid-body", "end-effector"]


def test_c18_order_is_depth_first(cases: Cases) -> None:
    case = cases["C18"]
    placed = list(walk(parse(case["input"]["hrdf"])))
    joints = [p.element.tag for p in placed if p.element.kind == "joint"]
    ends = [p.element.tag for p in placed if p.element.kind == "end-effector"]
    assert joints == case["expect"]["dof_order_by_tag"]
    assert ends == case["expect"]["end_effector_order"]


def test_p01_the_grammar(cases: Cases) -> None:
    from xml.sax.saxutils import quoteattr

    case = cases["P01"]
    expect = case["expect"]
    good, refused = expect["by_published_grammar"], expect["semantic_errors"]
    for text in case["input"]["values"]:
        escaped = quoteattr(text, {"\t": "&#9;", "\n": "&#10;"})
        robot = f'<robot version="1.6.0"><rigid-body mass={escaped}/></robot>'
        if text in refused:
            with pytest.raises(HrdfError, match=refused[text]):
                parse(robot)
        elif text in good:
            (body,) = parse(robot).elements
            assert body.mass == good[text]  # type: ignore[union-attr]
        else:
            assert text in expect["errors"]
            with pytest.raises(HrdfError, match=r"not a formula|is empty"):
                parse(robot)


def test_p03_warnings_belong_to_one_load(cases: Cases) -> None:
    case = cases["P03"]
    first, second = case["input"]["first"], case["input"]["second"]
    (warning,) = parse(first).warnings
    assert all(word in warning.message for word in case["expect"]["first"]["mentions"])
    assert warning.line == 1
    assert parse(second).warnings == ()
    with ThreadPoolExecutor(8) as pool:
        for n, d in enumerate(pool.map(parse, [first, second] * 100)):
            assert len(d.warnings) == 1 - n % 2


def test_p05_outputs_take_defaults_from_their_body(cases: Cases) -> None:
    case = cases["P05"]
    for name in ("with_default_rotation", "without"):
        expect = case["expect"][name]
        (body,) = parse(case["input"][name]).elements
        frames = [pose.matrix() for pose in body.output_poses]
        assert len(frames) == expect["outputs"]
        np.testing.assert_allclose([T[:3, 2] for T in frames], expect["z_axes"], atol=1e-9)
        np.testing.assert_allclose([T[:3, 3] for T in frames], expect["xyz"], atol=1e-12)
