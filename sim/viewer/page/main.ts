import type { DrawnObject, ObjectsFrame } from "../../../robot/wire/objects-frame.ts";
import type { PageFrame } from "../../page/frame.ts";
import { frameOf } from "../frame.ts";
import { colourOf } from "../model/colours.ts";
import { createRobotView } from "../robot-view.ts";
import { objectToAdd } from "../spawn.ts";
import "./style.css";

/* The page of robot-sim: draws what the server tells, tells it of pushes, objects and faults. */

const TOLD_LINES = 6;

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const dark = matchMedia("(prefers-color-scheme: dark)");
const address = element("address");
const told = element("told");

const view = createRobotView(element<HTMLCanvasElement>("robot"), {
  theme: dark.matches ? "dark" : "light",
  onPush: (push) => void send("POST", "./push", { push }),
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

let onTable: readonly DrawnObject[] = [];

/** Draws the objects, and a button for each that takes it away. */
function drawObjects({ t, objects }: ObjectsFrame): void {
  view.setObjects(t, objects);
  const names = objects.map(({ name }) => name);
  if (names.join("\n") !== onTable.map(({ name }) => name).join("\n"))
    element("objects").replaceChildren(...names.map(objectItem));
  onTable = objects;
}

function objectItem(name: string): HTMLElement {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.style.setProperty("--colour", colourOf(name));
  button.ariaLabel = `Take ${name} away`;
  button.addEventListener("click", () => void send("DELETE", `./objects/${encodeURIComponent(name)}`));
  item.append(button);
  return item;
}

const events = new EventSource("./events");
const listen = <T>(name: string, take: (data: T) => void) =>
  events.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data)));
listen("robot", (robot: { address: string }) => {
  address.textContent = robot.address;
});
listen("frame", draw);
listen("objects", drawObjects);
listen("told", ({ text }: { text: string }) => tell(text));
events.addEventListener("error", () => {
  address.textContent = "robot-sim does not answer";
});

const tools = element("tools");
new ResizeObserver(() => view.setInset(tools.offsetHeight)).observe(tools);
tools.addEventListener("submit", (event) => {
  event.preventDefault();
  void send("POST", "./faults", { fault: element<HTMLInputElement>("fault").value });
});
element("end").addEventListener("click", () => void send("DELETE", "./faults"));
for (const kind of ["ball", "box"] as const)
  element(kind).addEventListener("click", () => void send("POST", "./objects", objectToAdd(kind, onTable)));
element("reset").addEventListener("click", () => void send("POST", "./reset"));
element("camera").addEventListener("click", () => view.resetCamera());
