"""Runs the test motions of `npm run fidelity` in MuJoCo.

Reads a JSON object from standard input: the robot's geometry, masses, motors and gains, and the motions with their goals.
Writes the joint angles in radians and the head's pose (metres, quaternion x, y, z, w), 100 a second. Independent of the
simulator: friction and the closed loops are MuJoCo's own, the servo's control loop and motor are written again here. The
model has no contacts and no joint limits.
"""

import json
import math
import sys
from typing import Any

import mujoco
import numpy as np

# Seconds.
STEP = 0.0005
# Steps between two runs of the servo's control loop, and between two samples.
FIRMWARE_STEPS = 4
SAMPLE_STEPS = 20
# Volts and ohms, as in sim/servos/bus/bus.ts.
SUPPLY = 7.0
SUPPLY_RESISTANCE = 0.05
# The register's value for the full supply (the manufacturer's manual, "PWM Limit").
FULL_PWM = 885
# rad/s over which static friction gives way to sliding friction, as in sim/servos/motor.
STRIBECK_VELOCITY = 0.05


def numbers(values: list[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def scalar_first(quaternion: list[float]) -> str:
    x, y, z, w = quaternion
    return numbers([w, x, y, z])


def model_of(robot: dict[str, Any]) -> mujoco.MjModel:
    bodies = {body["name"]: body for body in robot["bodies"]}
    legs = {leg["arm"]: leg for leg in robot["legs"]}
    children: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for index, hinge in enumerate(robot["hinges"]):
        children.setdefault(hinge["parent"], []).append((index, hinge))

    def inertial(name: str) -> str:
        body = bodies[name]
        return (
            f'<inertial mass="{body["mass"]}" pos="{numbers(body["centre"])}" quat="{scalar_first(body["principalAxes"])}" '
            f'diaginertia="{numbers(body["moments"])}"/>'
        )

    def link(name: str) -> str:
        parts = [inertial(name)]
        for index, hinge in children.get(name, []):
            motor = robot["motors"][index]
            parts.append(
                f'<body name="{hinge["child"]}" pos="{numbers(hinge["anchor"])}">'
                f'<joint name="{hinge["name"]}" type="hinge" axis="{numbers(hinge["axis"])}" '
                f'armature="{motor["rotorInertia"]}" damping="{motor["viscosity"]}" '
                f'frictionloss="{motor["friction"]}"/>{link(hinge["child"])}</body>'
            )
        if name in legs:
            leg = legs[name]
            parts.append(
                f'<body name="{leg["rod"]}" pos="{numbers(leg["elbow"])}">'
                f'<joint name="{leg["rod"]}" type="ball" damping="1e-6"/>{inertial(leg["rod"])}</body>'
            )
        return "".join(parts)

    head = bodies["head"]["origin"]
    connects = "".join(
        f'<connect body1="{leg["rod"]}" body2="head" anchor="{numbers(leg["top"])}" solref="0.002 1"/>'
        for leg in robot["legs"]
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP}" gravity="0 0 -9.81" integrator="implicitfast" solver="Newton"/>'
        f'<worldbody><body name="foot">{link("foot")}</body>'
        f'<body name="head" pos="{numbers(head)}"><freejoint name="head"/>{link("head")}</body></worldbody>'
        f"<equality>{connects}</equality></mujoco>"
    )


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    result = np.zeros(4)
    mujoco.mju_mulQuat(result, a, b)
    return result


def conjugate(a: np.ndarray) -> np.ndarray:
    result = np.zeros(4)
    mujoco.mju_negQuat(result, a)
    return result


def place(model: mujoco.MjModel, data: mujoco.MjData, robot: dict[str, Any]) -> None:
    def rotation(name: str) -> np.ndarray:
        x, y, z, w = robot["placements"][name]["rotation"]
        return np.array([w, x, y, z])

    for hinge, angle in zip(robot["hinges"], robot["angles"]):
        data.joint(hinge["name"]).qpos[0] = angle
    for leg in robot["legs"]:
        data.joint(leg["rod"]).qpos[:] = multiply(conjugate(rotation(leg["arm"])), rotation(leg["rod"]))
    data.joint("head").qpos[:] = np.concatenate([robot["placements"]["head"]["position"], rotation("head")])
    mujoco.mj_forward(model, data)


class Servos:
    """Position control of the nine servos by their P gains, and their motors."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, robot: dict[str, Any]) -> None:
        self.data = data
        self.model = model
        joints = [model.joint(hinge["name"]) for hinge in robot["hinges"]]
        self.angle = np.array([joint.qposadr[0] for joint in joints])
        self.dof = np.array([joint.dofadr[0] for joint in joints])
        column = lambda name: np.array([motor[name] for motor in robot["motors"]])
        self.resistance = column("resistance")
        self.torque_constant = column("torqueConstant")
        self.back_emf = column("backEmfConstant")
        self.friction = column("friction")
        self.static = column("staticFriction")
        self.load_friction = column("loadFriction")
        self.gain = np.array(robot["gains"]) / np.array([motor["positionGainDivisor"] for motor in robot["motors"]])
        self.volts = np.zeros(9)
        self.current = np.zeros(9)

    def run_firmware(self, goal: np.ndarray | None) -> None:
        if goal is None:
            self.volts[:] = np.nan
            return
        ticks = np.round((self.data.qpos[self.angle] + math.pi) * 4096 / (2 * math.pi))
        pwm = np.round(np.clip(self.gain * (goal - ticks), -FULL_PWM, FULL_PWM))
        supply = SUPPLY - SUPPLY_RESISTANCE * np.sum(np.abs(self.current))
        self.volts = supply * pwm / FULL_PWM

    def drive(self) -> None:
        velocity = self.data.qvel[self.dof]
        current = (self.volts - self.back_emf * velocity) / self.resistance
        self.current = np.where(np.isnan(current), 0, current)
        torque = self.torque_constant * self.current
        dry = self.friction + (self.static - self.friction) * np.exp(-((velocity / STRIBECK_VELOCITY) ** 2))
        self.model.dof_frictionloss[self.dof] = dry + self.load_friction * np.abs(torque)
        self.data.qfrc_applied[self.dof] = torque


def run(robot: dict[str, Any], motion: dict[str, Any]) -> list[dict[str, list[float]]]:
    model = model_of(robot)
    data = mujoco.MjData(model)
    place(model, data, robot)
    servos = Servos(model, data, robot)
    head = model.body("head").id
    push = motion.get("push")
    samples = []
    for tick, goal in enumerate(motion["goals"]):
        for step in range(SAMPLE_STEPS):
            now = (tick * SAMPLE_STEPS + step) * STEP
            if step % FIRMWARE_STEPS == 0:
                servos.run_firmware(None if "off" in motion else np.array(goal))
            servos.drive()
            pushed = push is not None and push["from"] <= now < push["until"]
            data.xfrc_applied[head, :3] = push["force"] if pushed else 0
            mujoco.mj_step(model, data)
        # A step moves the joints last: the poses that it leaves belong to the joints before it.
        mujoco.mj_kinematics(model, data)
        w, x, y, z = data.xquat[head]
        samples.append({"joints": data.qpos[servos.angle].tolist(), "head": [*data.xpos[head].tolist(), x, y, z, w]})
    return samples


def main() -> None:
    given = json.load(sys.stdin)
    json.dump([run(given["robot"], motion) for motion in given["motions"]], sys.stdout)


if __name__ == "__main__":
    main()
