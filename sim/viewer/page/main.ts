import type { PageFrame } from "../../page/frame.ts";
import { frameOf } from "../frame.ts";
import type { Push } from "../push-drag.ts";
import { createRobotView } from "../robot-view.ts";
import "./style.css";

/* The page of robot-sim: draws what the server tells, tells it of pushes and faults. */

const TOLD_LINES = 6;

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const dark = matchMedia("(prefers-color-scheme: dark)");
const address = element("address");
const told = element("told");

const view = createRobotView(element<HTMLCanvasElement>("robot"), {
  theme: dark.matches ? "dark" : "light",
  onPush: (push: Push | null) => void send("POST", "./push", { push }),
  calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
});
dark.addEventListener("change", () => view.setTheme(dark.matches ? "dark" : "light"));

async function send(method: "POST" | "DELETE", path: string, body: unknown = {}): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (response !== undefined && !response.ok) tell(((await response.json()) as { detail: string }).detail);
}

function tell(text: string): void {
  const line = document.createElement("li");
  line.textContent = text;
  told.append(line);
  while (told.children.length > TOLD_LINES) told.firstChild?.remove();
}

function draw({ t, joints, head, glow }: PageFrame): void {
  view.update(t, frameOf({ headPose: head, headJoints: joints.slice(0, 7), antennas: joints.slice(7) }));
  if (glow === lastGlow) return;
  lastGlow = glow;
  view.setMood({ awake: glow !== "limp", glow });
}
let lastGlow: PageFrame["glow"] | undefined;

const events = new EventSource("./events");
const listen = <T>(name: string, take: (data: T) => void) =>
  events.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data)));
listen("robot", (robot: { address: string }) => {
  address.textContent = robot.address;
});
listen("frame", draw);
listen("told", ({ text }: { text: string }) => tell(text));
events.addEventListener("error", () => {
  address.textContent = "robot-sim does not answer";
});

const tools = element("tools");
view.setInset(tools.offsetHeight);
tools.addEventListener("submit", (event) => {
  event.preventDefault();
  void send("POST", "./faults", { fault: element<HTMLInputElement>("fault").value });
});
element("end").addEventListener("click", () => void send("DELETE", "./faults"));
element("reset").addEventListener("click", () => void send("POST", "./reset"));
element("camera").addEventListener("click", () => view.resetCamera());
