import { type Object3D, type PerspectiveCamera, Vector2 } from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Pull, Push, PushDrag } from "./push-drag.ts";

/** A point of the page in the canvas's device coordinates, -1 to 1. */
export function pointerAt(canvas: HTMLCanvasElement, clientX: number, clientY: number): Vector2 {
  const box = canvas.getBoundingClientRect();
  return new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
}

/** Pushes a second that are told while a hand holds on, however slowly the picture is drawn. */
const PUSHES = 20;

export interface HandsParts {
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  drag: PushDrag;
  /** Parts of the robot to pull at. */
  parts: readonly Object3D[];
  /** Objects to carry; they come and go. */
  objects: () => readonly Object3D[];
  onPush: ((push: Push | Pull | null) => void) | undefined;
  redraw: () => void;
}

/** Lets a pointer pull at the bodies when somebody wants to know of pushes; elsewhere the camera keeps the gesture. */
export function listenForHands(hands: HandsParts): { dispose(): void } {
  const { canvas, camera, controls, drag, parts, objects, onPush, redraw } = hands;
  const listening = new AbortController();
  if (onPush === undefined) return { dispose: () => listening.abort() };
  const { signal } = listening;
  let telling: ReturnType<typeof setInterval> | undefined;
  const at = (event: PointerEvent) => pointerAt(canvas, event.clientX, event.clientY);
  const bodies = () => [...parts, ...objects()];

  // Before the camera's own listener, which would start to orbit.
  const down = (event: PointerEvent) => {
    const hit = event.isPrimary && event.button === 0 ? drag.pick(at(event), camera, bodies()) : undefined;
    if (hit === undefined) return;
    event.stopImmediatePropagation();
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.style.cursor = "grabbing";
    drag.grab(hit.body, hit.point, camera, objects().includes(hit.body));
    telling = setInterval(() => onPush(drag.push() ?? null), 1000 / PUSHES);
    redraw();
  };
  const move = (event: PointerEvent) => {
    if (drag.active) drag.follow(at(event), camera);
    else if (event.buttons === 0) canvas.style.cursor = drag.pick(at(event), camera, bodies()) ? "grab" : "";
  };
  const up = () => {
    if (!drag.active) return;
    clearInterval(telling);
    drag.release();
    controls.enabled = true;
    canvas.style.cursor = "";
    onPush(null);
    redraw();
  };
  // A finger on the robot pulls at it instead of scrolling the page.
  const touch = (event: TouchEvent) => {
    const finger = event.touches[0];
    if (finger && drag.pick(pointerAt(canvas, finger.clientX, finger.clientY), camera, bodies()))
      event.preventDefault();
  };
  canvas.addEventListener("touchstart", touch, { passive: false, signal });
  canvas.addEventListener("pointerdown", down, { capture: true, signal });
  canvas.addEventListener("pointermove", move, { signal });
  canvas.addEventListener("pointerup", up, { signal });
  canvas.addEventListener("pointercancel", up, { signal });
  return {
    dispose() {
      clearInterval(telling);
      listening.abort();
    },
  };
}
