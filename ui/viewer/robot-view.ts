import { WebGLRenderer } from "three";
import type { Pull, Push } from "../../robot/wire/scene/hand-act.ts";
import type { DrawnObject } from "../../robot/wire/scene/scene-frame.ts";
import { BodyDrag } from "./drag/body-drag.ts";
import { attachPointerDrag } from "./drag/pointer-drag.ts";
import { secondsUntilBlink } from "./frames/eyelids.ts";
import type { Frame } from "./frames/frame.ts";
import { createJointTable } from "./joint-table.ts";
import type { Theme } from "./model/materials.ts";
import { type Eyes, Picture } from "./picture.ts";
import { CameraRig } from "./scene/camera-rig.ts";
import { RenderLoop } from "./scene/render-loop.ts";

export interface RobotViewOptions {
  theme: Theme;
  /** Called 20 times a second while a person drags the head, an antenna or an object, and with null at the end. */
  onDrag?: (action: Push | Pull | null) => void;
  /** No blinking, and a camera that stops immediately. */
  reducedMotion?: boolean;
}

export type RobotView = ReturnType<typeof drawRobot>;

const seconds = (): number => performance.now() / 1000;

/**
 * Draws a robot on a table into a canvas that fills its parent. In a browser without WebGL 2 a table of the joints takes the
 * place of the canvas.
 */
export function createRobotView(canvas: HTMLCanvasElement, options: RobotViewOptions): RobotView {
  const renderer = createRenderer(canvas);
  return renderer === null ? createJointTable(canvas) : drawRobot(canvas, renderer, options);
}

/** Null when the browser has no WebGL 2, which it may also refuse to one canvas. */
function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    return new WebGLRenderer({ canvas, alpha: true, antialias: true, powerPreference: "low-power" });
  } catch {
    return null;
  }
}

function drawRobot(canvas: HTMLCanvasElement, renderer: WebGLRenderer, options: RobotViewOptions) {
  const { theme, onDrag, reducedMotion = false } = options;
  const drag = new BodyDrag();
  const picture = new Picture(renderer, drag, theme, reducedMotion);
  const { objects } = picture;
  const rig = new CameraRig(canvas, !reducedMotion);
  const { camera, controls } = rig;
  let blink: ReturnType<typeof setTimeout> | undefined;

  const loop = new RenderLoop(canvas, (now) => {
    const orbiting = controls.update();
    if (orbiting) picture.invalidate();
    const moving = picture.draw(now, camera);
    scheduleBlink(now);
    return orbiting || moving;
  });
  /** A robot that does not move is not drawn, so the next blink has to wake the loop. A slow machine is left idle. */
  const scheduleBlink = (now: number) => {
    clearTimeout(blink);
    if (picture.blinks && !loop.isSlow) blink = setTimeout(() => loop.wake(), secondsUntilBlink(now) * 1000);
  };
  const redraw = () => {
    picture.invalidate();
    loop.wake();
  };
  const resize = () => {
    const { clientWidth, clientHeight } = canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    picture.resize(clientWidth, clientHeight);
    rig.fit(clientWidth, clientHeight);
    redraw();
  };
  const sizes = new ResizeObserver(resize);
  sizes.observe(canvas);
  const parts = picture.pushable;
  const pointer =
    onDrag &&
    attachPointerDrag({ canvas, camera, controls, drag, parts, objects: () => objects.bodies, onDrag, redraw });
  controls.addEventListener("change", redraw);
  resize();
  rig.reset();

  return {
    /** False where a table of the joints stands for the drawing. */
    isDrawn: true,
    /** A state to draw; `stamp` is the sender's clock in seconds. The view moves smoothly from state to state. */
    update(stamp: number, frame: Frame): void {
      picture.update(stamp, frame, seconds());
      if (picture.isMoving) loop.wake();
    },
    /** Draws this frame immediately, for scrubbing through a recording. */
    show(frame: Frame): void {
      picture.skipInterpolation();
      this.update(0, frame);
    },
    /** The objects on the table, with the sender's clock in seconds. */
    setObjects(stamp: number, drawn: readonly DrawnObject[]): void {
      objects.update(stamp, drawn, seconds());
      if (objects.isMoving) loop.wake();
    },
    /** The pose that the servos are commanded to, drawn as a ghost; null hides it. */
    setGhost(frame: Frame | null): void {
      if (picture.setGhost(frame)) redraw();
    },
    setEyes(eyes: Eyes): void {
      picture.setEyes(eyes);
      redraw();
    },
    setTheme(next: Theme): void {
      picture.setTheme(next);
      redraw();
    },
    /** Puts the camera back in front of the robot. */
    resetCamera(): void {
      rig.reset();
      redraw();
    },
    /** Pixels at the lower edge that something else covers; the robot moves up by half of them. */
    setInset(pixels: number): void {
      rig.fit(canvas.clientWidth, canvas.clientHeight, pixels);
      redraw();
    },
    dispose(): void {
      clearTimeout(blink);
      loop.stop();
      sizes.disconnect();
      pointer?.dispose();
      controls.dispose();
      picture.dispose();
    },
  };
}
