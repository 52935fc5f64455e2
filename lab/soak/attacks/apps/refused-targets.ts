// set_target answers what happens, as goto does.
import type { Attack } from "../../attack.ts";

export default {
  title: "targets that the robot cannot follow",
  async run({ daemon, row }) {
    const post = async (path: string, body: object) => {
      const answer = await daemon.post(path, body);
      const { code = "" } = (await answer.json()) as { code?: string };
      return `${answer.status} ${code}`.trim();
    };
    const target = { antennas: [0.1, 0.1] };
    await post("/api/move/goto", { ...target, duration: 30 });
    const moving = await post("/api/move/set_target", target);
    row("set_target while a move runs", moving, "422 target-refused", moving === "422 target-refused");
    await post("/api/motors/set_mode/disabled", {});
    for (const path of ["/api/move/set_target", "/api/move/goto"]) {
      const off = await post(path, target);
      row(`${path} while the motors are off`, off, "409 motors-off", off === "409 motors-off");
    }
  },
} satisfies Attack;
