import { DEGREE } from "../../common/degree.ts";
import { JOINT_NAMES } from "../../robot/description/joints.ts";
import { formatDegrees } from "../format/format.ts";
import type { Frame } from "./frames/frame.ts";
import "./joint-table.css";

const WHY = "This browser cannot draw the robot: it has no WebGL 2.";
const NEXT = "Turn on its hardware acceleration, or use another browser.";

/**
 * Shows the angles of the joints in the place of a canvas, for a browser that cannot draw. Has the methods of a view that draws;
 * those that only change a drawing do nothing.
 */
export function createJointTable(canvas: HTMLCanvasElement) {
  const box = document.createElement("div");
  box.className = "joint-table";
  const sentence = document.createElement("p");
  sentence.textContent = `${WHY} ${NEXT}`;
  const table = document.createElement("table");
  table.createCaption().textContent = "Angles of the joints";
  const cells = JOINT_NAMES.map((name) => {
    const row = table.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    row.append(head);
    const cell = row.insertCell();
    cell.textContent = formatDegrees(undefined);
    return cell;
  });
  box.append(sentence, table);
  canvas.after(box);
  canvas.hidden = true;

  const show = ({ bodyYaw, stewart, antennas }: Frame): void => {
    for (const [i, angle] of [bodyYaw, ...stewart, ...antennas].entries()) {
      const cell = cells[i];
      const text = formatDegrees(angle / DEGREE);
      if (cell !== undefined && cell.textContent !== text) cell.textContent = text;
    }
  };
  const nothing = (): void => {};
  return {
    isDrawn: false,
    update: (_stamp: number, frame: Frame): void => show(frame),
    show,
    setObjects: nothing,
    setGhost: nothing,
    setEyes: nothing,
    setTheme: nothing,
    resetCamera: nothing,
    /** @param pixels at the lower edge that something else covers */
    setInset(pixels: number): void {
      box.style.paddingBottom = `${pixels}px`;
    },
    dispose(): void {
      box.remove();
      canvas.hidden = false;
    },
  };
}
