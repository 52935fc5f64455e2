import { type Object3D, type PerspectiveCamera, Vector2 } from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Pull, Push } from "../../../robot/wire/scene/hand-act.ts";
import type { BodyDrag } from "./body-drag.ts";

/** How often a drag is reported, Hz, however slowly the picture is drawn. */
const REPORTS = 20;

interface PointerDragOptions {
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  drag: BodyDrag;
  /** Parts of the robot that can be pushed. */
  parts: readonly Object3D[];
  /** Objects that can be carried, at this moment. */
  objects: () => readonly Object3D[];
  /** Called while a body is dragged, and with null when it is released. */
  onDrag: (action: Push | Pull | null) => void;
  redraw: () => void;
}

type PointOfPage = Pick<MouseEvent, "clientX" | "clientY">;

/** Lets the pointer drag the robot's parts and the objects; elsewhere the camera keeps the gesture. */
export function attachPointerDrag(options: PointerDragOptions): { dispose(): void } {
  const { canvas, camera, controls, drag, parts, objects, onDrag, redraw } = options;
  const listening = new AbortController();
  const { signal } = listening;
  let reports: ReturnType<typeof setInterval> | undefined;
  /** A point of the page in the canvas's device coordinates, -1 to 1. */
  const coordinatesOf = ({ clientX, clientY }: PointOfPage) => {
    const box = canvas.getBoundingClientRect();
    return new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
  };
  const bodyUnder = (at: PointOfPage) => drag.pick(coordinatesOf(at), camera, [...parts, ...objects()]);

  // In the capture phase: the camera's own listener would start to orbit.
  const down = (event: PointerEvent) => {
    const hit = event.isPrimary && event.button === 0 ? bodyUnder(event) : undefined;
    if (hit === undefined) return;
    event.stopImmediatePropagation();
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.style.cursor = "grabbing";
    drag.grab(hit.body, hit.point, camera, objects().includes(hit.body));
    reports = setInterval(() => onDrag(drag.update() ?? null), 1000 / REPORTS);
    redraw();
  };
  const move = (event: PointerEvent) => {
    if (drag.active) drag.moveTo(coordinatesOf(event), camera);
    else if (event.buttons === 0) canvas.style.cursor = bodyUnder(event) ? "grab" : "";
  };
  const up = () => {
    if (!drag.active) return;
    clearInterval(reports);
    drag.release();
    controls.enabled = true;
    canvas.style.cursor = "";
    onDrag(null);
    redraw();
  };
  // A finger on a body drags it instead of scrolling the page.
  const touch = (event: TouchEvent) => {
    const finger = event.touches[0];
    if (finger && bodyUnder(finger)) event.preventDefault();
  };
  canvas.addEventListener("touchstart", touch, { passive: false, signal });
  canvas.addEventListener("pointerdown", down, { capture: true, signal });
  canvas.addEventListener("pointermove", move, { signal });
  canvas.addEventListener("pointerup", up, { signal });
  canvas.addEventListener("pointercancel", up, { signal });
  return {
    dispose() {
      clearInterval(reports);
      listening.abort();
    },
  };
}
