import { LatestSender } from "../../../common/latest-sender.ts";
import type { Pull, Push } from "../../../robot/wire/scene/hand-act.ts";
import type { DrawnObject, ObjectsFrame } from "../../../robot/wire/scene/scene-frame.ts";
import { prefersReducedMotion } from "../../../ui/components/prefers-reduced-motion.ts";
import { frameOfState } from "../../../ui/viewer/frames/frame-of-state.ts";
import type { RobotView } from "../../../ui/viewer/index.ts";
import { newTableObject } from "../../../ui/viewer/objects/new-table-object.ts";
import type { PageFrame } from "../page-frame.ts";
import "../../../ui/theme/tokens.css";
import "./style.css";

/* The page of robot-sim: draws the robot and sends pushes, objects and faults to the server. */

const SHOWN_NOTICES = 6;

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const address = element("address");
const tools = element("tools");
const notices = element("notices");
const dark = matchMedia("(prefers-color-scheme: dark)");
/** Undefined until the drawing code, which is large, is loaded. */
let view: RobotView | undefined;
let glow: PageFrame["glow"] | undefined;
let objects: readonly DrawnObject[] = [];

const theme = () => (dark.matches ? "dark" : "light");
function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
  view?.setTheme(theme());
}
applyTheme();
dark.addEventListener("change", applyTheme);

async function send(method: "POST" | "DELETE", path: string, body: unknown = {}): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (response !== undefined && !response.ok) showNotice(((await response.json()) as { detail: string }).detail);
}

function showNotice(text: string): void {
  const line = document.createElement("li");
  line.textContent = text;
  notices.append(line);
  while (notices.children.length > SHOWN_NOTICES) notices.firstChild?.remove();
}

/** One request at a time: an older push that arrives after the release would throw the robot's head. */
const pushes = new LatestSender<Push | Pull | null>((push) => send("POST", "./push", { push }));

function draw(frame: PageFrame): void {
  const { t, joints, head, foot } = frame;
  view?.update(t, frameOfState({ headPose: head, headJoints: joints.slice(0, 7), antennas: joints.slice(7) }, foot));
  if (view === undefined || frame.glow === glow) return;
  glow = frame.glow;
  view.setEyes({ awake: glow !== "off", glow });
}

/** Draws the objects, and a button for each that removes it. */
function drawObjects(frame: ObjectsFrame): void {
  view?.setObjects(frame.t, frame.objects);
  const looks = ({ objects: each }: Pick<ObjectsFrame, "objects">) =>
    each.map(({ name, color }) => color + name).join("\n");
  if (looks(frame) !== looks({ objects })) element("objects").replaceChildren(...frame.objects.map(objectItem));
  objects = frame.objects;
}

function objectItem({ name, color }: DrawnObject): HTMLElement {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.style.setProperty("--colour", color);
  button.ariaLabel = `Remove ${name}`;
  button.addEventListener("click", () => void send("DELETE", `./objects/${encodeURIComponent(name)}`));
  item.append(button);
  return item;
}

const events = new EventSource("./events");
const listen = <T>(name: string, handle: (data: T) => void) =>
  events.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data)));
listen("robot", (robot: { address: string }) => {
  address.textContent = robot.address;
});
listen("frame", draw);
listen("objects", drawObjects);
listen("notice", ({ text }: { text: string }) => showNotice(text));
events.addEventListener("error", () => {
  address.textContent = "robot-sim does not answer";
});

tools.addEventListener("submit", (event) => {
  event.preventDefault();
  void send("POST", "./faults", { fault: element<HTMLInputElement>("fault").value });
});
element("end").addEventListener("click", () => void send("DELETE", "./faults"));
for (const kind of ["ball", "box"] as const)
  element(kind).addEventListener("click", () => void send("POST", "./objects", newTableObject(kind, objects)));
element("reset").addEventListener("click", () => void send("POST", "./reset"));
element("camera").addEventListener("click", () => view?.resetCamera());

async function createView(): Promise<void> {
  const { createRobotView } = await import("../../../ui/viewer/index.ts");
  const created = createRobotView(element<HTMLCanvasElement>("robot"), {
    theme: theme(),
    onDrag: (push) => void pushes.send(push),
    reducedMotion: prefersReducedMotion(),
  });
  created.setObjects(0, objects);
  element("camera").hidden = !created.isDrawn;
  new ResizeObserver(() => created.setInset(tools.offsetHeight)).observe(tools);
  view = created;
}
createView().catch((error: Error) => showNotice(`This browser cannot draw the robot: ${error.message}`));
