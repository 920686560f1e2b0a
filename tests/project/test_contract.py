"""The public names, arguments and defaults that scripts of others rely on.

Each expectation is written as the head of a function. Ours may take more, when that is optional;
what stands here must be there, in this order, with these defaults.
"""

import ast
import importlib
import inspect
from typing import Any

import numpy as np
import pytest

import armwright
from armwright import kinematics
from tests.project.sources import ROOT

FRAME = "frame_type='endeffector', index=None, tag=None, frame=None"
SIGNATURES = {
    "armwright": [
        "load(path, *, catalog=None)",
        "loads(text, *, folder=None, catalog=None)",
    ],
    "armwright.hrdf": [
        "read(path, *, catalog=None)",
        "parse(text, *, folder=None, catalog=None)",
        "write(d, path=None, *, version=None)",
        "check(path)",
        "load_config(path)",
    ],
    "armwright.kinematics": [
        "load(path, *, catalog=None)",
        "loads(text, *, folder=None, catalog=None)",
        "rotation_vector(R)",
        "pose_error(T_a, T_b)",
    ],
    "armwright.kinematics.ArmBuilder": [
        "__init__(self, *, base_frame=None, description='', catalog=None)",
        "actuator(self, type, *, tag=None, mass=None, mass_offset=None, com=None, com_offset=None,"
        " inertia=None)",
        "link(self, type, *, extension, twist, input='RightAngle', output='RightAngle', tag=None,"
        " **overrides)",
        "bracket(self, type, *, tag=None, **overrides)",
        "rigid_body(self, *, mass, com=None, inertia=None, output=None, outputs=None, mesh=None,"
        " tag=None)",
        "joint(self, axis, *, gear_ratio=1.0, tag=None)",
        "end_effector(self, type='Custom', *, output=None, tag=None, **overrides)",
        "include(self, what)",
        "branch(self, output, sub)",
        "describe(self)",
        "build(self)",
    ],
    "armwright.kinematics.RobotModel": [
        "__init__(self, description)",
        "frame_count(self, frame_type)",
        "mesh_path(self, index)",
        "forward_kinematics(self, frame_type, q, out=None)",
        "frame_elements(self, frame_type)",
        "frame(self, name, kind=None)",
        "end_effector(self, q, out=None, index=None, tag=None, frame=None)",
        "jacobians(self, frame_type, q, out=None, reference='world', representation=None)",
        "jacobian(self, q, out=None, frame_type=None, index=None, tag=None, reference=None,"
        " point=None, representation=None, frame=None)",
        "bias_acceleration(self, q, v, out=None, frame_type=None, index=None, tag=None,"
        " reference=None, point=None, representation=None, frame=None)",
        "jacobian_sparsity(self, frame_type=None, index=None, tag=None, *, floating=None,"
        " frame=None)",
        "relative_jacobian_sparsity(self, frame, reference)",
        "selection(self, joints, *, full=False)",
        "mask_jacobian(self, J, joints=None, *, keep=None, drop=None)",
        "gravity_efforts(self, q, gravity=None, out=None)",
        "inverse_dynamics(self, q, v, a, gravity=None, out=None, external_wrenches=None)",
        "mass_matrix(self, q, out=None)",
        "forward_dynamics(self, q, v, tau, gravity=None, out=None, external_wrenches=None)",
        "point_mass_dynamics_efforts(self, q_feedback, q, v, a, dt=1e-3)",
        "with_base_frame(self, T)",
        "with_position_limits(self, lower, upper)",
        "with_floating_base(self, frame=None)",
        "with_joint_names(self, names)",
        "with_payload(self, mass, com=(0, 0, 0), *, frame='input', index=None, tag=None,"
        " inertia=None)",
        "subtree(self, *, index=None, tag=None)",
    ],
    "armwright.ik": [
        "solve(model, q0, *objectives, position_tolerance=1e-6, orientation_tolerance=1e-5,"
        " max_starts=300, random_seed=0, time_limit=None)",
        f"position(xyz, *, weight=1.0, {FRAME})",
        f"orientation(R, *, weight=1.0, {FRAME})",
        f"pose(T, *, weight=1.0, {FRAME})",
        f"tip_axis(axis, *, weight=1.0, {FRAME})",
        "joint_limits(lower, upper)",
        "posture(q_ref, *, weight=1.0)",
        "custom(n_errors, function, *, weight=1.0, jacobian=None, tolerance=1e-6)",
        f"solve_all(model, T, *, reference=None, {FRAME})",
        f"solve_batch(model, q0, targets, *, progress=False, {FRAME})",
        f"track(model, q0, poses, *, max_step=None, dt=None, {FRAME})",
    ],
    "armwright.ik.IKResult": ["raise_for_status(self)"],
    "armwright.ik.IKProblem": ["__init__(self, model, *objectives)", "solve(self, q0)"],
    "armwright.ik.Tracker": [
        f"__init__(self, model, q0, *, max_step=None, dt=None, {FRAME})",
        "step(self, target)",
    ],
    "armwright.devices": [
        "simulate(model, *, physics='ideal', real_time=False, names=None, q0=None, seed=0)",
        "connect(families, names, *, timeout=2.0)",
        "imitate(n)",
        "load_config(path)",
        "minimum_jerk(times, positions, velocities=None, accelerations=None, *, stop='flow',"
        " **options)",
        "plan(model, waypoints, *, max_speeds=None, stop='flow', **options)",
        "follow(group, model, trajectory, *, plugins=(), late_after=None, **options)",
    ],
    "armwright.devices.RobotConfig": ["model(self)"],
    "armwright.devices.GroupCommand": ["__init__(self, position=None, velocity=None, effort=None)"],
    "armwright.devices.ActuatorGroup": [
        "feedback(self, timeout=None)",
        "send(self, command)",
        "info(self)",
        "close(self)",
    ],
    "armwright.gui": ["plot_model(model, q, ax=None, **style)"],
}
COMMANDS = (
    *("check", "info", "fk", "ik", "gravity", "plot", "reach", "warmup"),
    *("dynamics", "doctor"),
)
CASES = [(owner, head) for owner, heads in SIGNATURES.items() for head in heads]
ERRORS = {
    "HrdfError": ValueError,
    "HrdfSyntaxError": ValueError,
    "HrdfVersionError": ValueError,
    "UnknownPartError": ValueError,
    "InterfaceMismatchError": ValueError,
    "ModelError": ValueError,
    "FrameNotFoundError": LookupError,
    "JointVectorError": ValueError,
    "ModelFileError": ValueError,
    "WrongTypeError": TypeError,
    "IKError": Exception,
    "ObjectiveError": ValueError,
    "IKNotConvergedError": Exception,
    "TrajectoryError": ValueError,
    "ConfigError": ValueError,
    "GainsError": ValueError,
    "LogError": ValueError,
    "DrawingError": ValueError,
    "FileWriteError": OSError,
    "DeviceError": RuntimeError,
    "ActuatorNotFoundError": RuntimeError,
    "FeedbackTimeoutError": TimeoutError,
    "CommandRejectedError": RuntimeError,
    "SafetyLimitError": RuntimeError,
    "DeviceStateError": RuntimeError,
    "PluginError": RuntimeError,
    "ArmFaultError": RuntimeError,
    "FeedbackLostError": TimeoutError,
    "PluginFaultError": RuntimeError,
    "BackendUnavailableError": ImportError,
}


def resolve(dotted: str) -> Any:
    """Return a module, or a class inside one."""
    module, _, name = dotted.rpartition(".")
    if name[:1].isupper():
        return getattr(importlib.import_module(module), name)
    return importlib.import_module(dotted)


def expected_parameters(head: str) -> dict[str, inspect.Parameter]:
    """Turn the text of a function's head into parameters."""
    arguments = ast.parse(f"def {head}: ...").body[0].args  # type: ignore[attr-defined]
    kinds = inspect.Parameter
    found: dict[str, inspect.Parameter] = {}

    def add(argument: ast.arg, kind: Any, default: ast.expr | None) -> None:
        value = kinds.empty if default is None else ast.literal_eval(default)
        found[argument.arg] = kinds(argument.arg, kind, default=value)

    positional = arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for argument, default in zip(positional, defaults, strict=True):
        add(argument, kinds.POSITIONAL_OR_KEYWORD, default)
    if arguments.vararg:
        add(arguments.vararg, kinds.VAR_POSITIONAL, None)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        add(argument, kinds.KEYWORD_ONLY, default)
    if arguments.kwarg:
        add(arguments.kwarg, kinds.VAR_KEYWORD, None)
    return found


@pytest.mark.parametrize(("owner", "head"), CASES, ids=[f"{o}.{h}" for o, h in CASES])
def test_signature(owner: str, head: str) -> None:
    function = getattr(resolve(owner), head.partition("(")[0])
    actual = inspect.signature(function).parameters
    expected = expected_parameters(head)
    if "self" in expected and "self" not in actual:  # a function that the class only lists
        own = next(iter(actual))
        expected = {
            own if n == "self" else n: p.replace(name=own) if n == "self" else p
            for n, p in expected.items()
        }
    takes_any = any(p.kind is p.VAR_KEYWORD for p in actual.values())
    for name, parameter in expected.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            more = [
                p for p in actual.values() if p.kind is p.KEYWORD_ONLY and p.name not in expected
            ]
            assert takes_any or more, "no keywords beyond the listed ones"
            continue
        assert name in actual, f"missing; there are {list(actual)}"
        assert actual[name].kind is parameter.kind
        if parameter.default is not parameter.empty or actual[name].default is not parameter.empty:
            assert actual[name].default == parameter.default
    positional = [n for n, p in expected.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert list(actual)[: len(positional)] == positional
    for name in set(actual) - set(expected):
        optional = actual[name].default is not inspect.Parameter.empty
        assert optional or actual[name].kind in (
            inspect.Parameter.VAR_KEYWORD,
            inspect.Parameter.VAR_POSITIONAL,
        ), f"{name} would be one more thing to give"


@pytest.mark.parametrize(("name", "base"), sorted(ERRORS.items()))
def test_errors(name: str, base: type[Exception]) -> None:
    error = getattr(importlib.import_module("armwright.errors"), name)
    assert issubclass(error, base)
    assert issubclass(error, armwright.ArmwrightError)


def test_errors_are_all_listed() -> None:
    module = importlib.import_module("armwright.errors")
    ours = {
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Exception) and not name.startswith("_")
    }
    assert {*ERRORS, "ArmwrightError"} == ours


def test_frame_types() -> None:
    ours = {member.name: member.value for member in armwright.FrameType}
    fixed = {
        "INPUT": "input",
        "OUTPUT": "output",
        "COM": "com",
        "END_EFFECTOR": "endeffector",
        "MESH": "mesh",
        "PAYLOAD": "payload",
    }
    assert fixed.items() <= ours.items()  # ours may have more
    assert issubclass(armwright.FrameType, str)


def test_ik_status() -> None:
    from armwright.ik import IKStatus

    assert {member.name: member.value for member in IKStatus} == {
        "CONVERGED": 1,
        "UNREACHABLE": 2,
        "OUTSIDE_LIMITS": 3,
        "STALLED": 4,
        "OUT_OF_TIME": 5,
    }


def test_attributes_of_a_problem() -> None:
    from dataclasses import fields

    assert [field.name for field in fields(armwright.Problem)] == [
        "file",
        "line",
        "element",
        "attribute",
        "message",
        "severity",
    ]


def test_attributes_of_a_description_and_a_model() -> None:
    model = armwright.load(ROOT / "examples/arms/six_dof.hrdf")
    description = model.description
    assert isinstance(description.description, str)
    assert isinstance(description.version, str)
    assert np.asarray(description.base_frame).shape == (4, 4)
    assert isinstance(description.elements, tuple)
    assert isinstance(description.warnings, tuple)

    assert model.dof == 6
    assert model.n_elements == len(model.elements) == model.frame_count("input")
    assert isinstance(model.elements, tuple)
    assert isinstance(model.warnings, tuple)
    assert isinstance(model.joint_names, tuple)
    assert len(model.joint_names) == model.dof
    assert all(0 <= number < model.n_elements for number in model.tags.values())
    assert model.masses.shape == (model.frame_count("com"),)
    assert model.total_mass == pytest.approx(model.masses.sum())
    assert model.max_speeds.shape == model.max_efforts.shape == (model.dof,)
    assert model.position_limits.shape == (2, model.dof)
    assert model.base_frame.shape == (4, 4)


def test_attributes_of_a_result() -> None:
    from armwright import ik

    model = armwright.load(ROOT / "examples/arms/six_dof.hrdf")
    result = ik.solve(
        model, np.full(6, 0.4), ik.position(model.end_effector(np.full(6, 0.5))[:3, 3])
    )
    assert result.q.shape == (6,)
    assert isinstance(result.success, bool)
    assert isinstance(result.status, ik.IKStatus)
    assert isinstance(result.position_error, float)
    assert np.isnan(result.orientation_error)
    assert [residual.shape for residual in result.residuals] == [(3,)]
    assert isinstance(result.iterations, int)
    assert isinstance(result.restarts, int)
    assert isinstance(result.message, str)


def test_attributes_of_a_group_and_its_feedback() -> None:
    from armwright import devices

    model = armwright.load(ROOT / "examples/arms/six_dof.hrdf")
    with devices.simulate(model) as group:
        assert group.size == 6
        assert len(group.names) == 6
        assert group.feedback_frequency == 100.0
        assert group.command_lifetime == 0.25
        feedback = group.feedback()
    assert isinstance(feedback.time, float)
    for quantity in ("position", "velocity", "effort"):
        assert getattr(feedback, quantity).shape == (6,)
        assert getattr(feedback, f"{quantity}_command").shape == (6,)


def test_commands_of_the_command_line() -> None:
    import subprocess
    import sys

    answer = subprocess.run(
        [sys.executable, "-m", "armwright", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for command in COMMANDS:
        assert f" {command} " in answer.stdout


def test_frame_is_the_last_argument() -> None:
    # Of all that take a frame's type, index or tag; with_payload(frame="input") is another word.
    owners = (kinematics.RobotModel, kinematics, armwright.ik)
    listed = [getattr(owner, name, None) for owner in owners for name in vars(owner)]
    seen = 0
    for function in filter(callable, listed):
        try:
            parameters = inspect.signature(function).parameters
        except ValueError:  # an enumeration
            continue
        if {"frame", "tag"} <= set(parameters) and parameters["frame"].default is None:
            seen += 1
            assert list(parameters)[-1] == "frame", function
    assert seen >= 15


def test_gravity() -> None:
    assert kinematics.GRAVITY == (0.0, 0.0, -9.81)
    model = armwright.loads('<robot version="1.6.0"/>')
    np.testing.assert_array_equal(model.gravity, kinematics.GRAVITY)
