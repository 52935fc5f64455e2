import { NeutralToneMapping, PCFShadowMap, WebGLRenderer } from "three";
import type { DrawnObject } from "../../robot/wire/objects-frame.ts";
import { CameraRig } from "./camera-rig.ts";
import { disposeTree } from "./dispose.ts";
import { eyelids, untilBlink } from "./eyelids.ts";
import { createGhost } from "./ghost.ts";
import { listenForHands, pointerAt } from "./hands.ts";
import type { Glow, Theme } from "./model/materials.ts";
import { type Pull, type Push, PushDrag } from "./push-drag.ts";
import { RenderLoop } from "./render-loop.ts";
import { createRobotModel } from "./robot-model.ts";
import { Stage } from "./stage.ts";
import { TableObjects } from "./table-objects.ts";
import { blend, distance, type Frame, INVISIBLE, Timeline } from "./timeline.ts";

export interface RobotViewOptions {
  theme: Theme;
  /** Called 20 times a second while somebody pulls at the head, an antenna or an object, and with null at the end. */
  onPush?: (push: Push | Pull | null) => void;
  /** No blinking and no gliding camera. */
  calm?: boolean;
}

/** What the eyes tell beside the pose. */
export interface Mood {
  awake: boolean;
  glow: Glow;
}

export interface RobotView {
  /** A state to draw; `stamp` is the sender's clock in seconds. The view glides from state to state. */
  update(stamp: number, frame: Frame): void;
  /** Draws this frame without gliding to it, for scrubbing through a recording. */
  show(frame: Frame): void;
  /** What lies on the table, with the sender's clock in seconds; the view glides from told to told. */
  setObjects(stamp: number, objects: readonly DrawnObject[]): void;
  /** Draws these objects without gliding to where they are. */
  showObjects(objects: readonly DrawnObject[]): void;
  /** The pose the servos are told to hold, drawn as a ghost; null hides it. */
  setGhost(frame: Frame | null): void;
  setMood(mood: Mood): void;
  setTheme(theme: Theme): void;
  /** Puts the camera back in front of the robot. */
  resetCamera(): void;
  /** Pixels at the lower edge that something else covers; the robot moves up by half of them. */
  setInset(pixels: number): void;
  /** The name of the body at a point of the page, or undefined. */
  pick(clientX: number, clientY: number): string | undefined;
  resize(): void;
  dispose(): void;
}

/**
 * A robot on a table, drawn into a canvas that fills its parent. Throws when the browser has no WebGL 2.
 */
export function createRobotView(canvas: HTMLCanvasElement, options: RobotViewOptions): RobotView {
  const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, powerPreference: "low-power" });
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;

  const stage = new Stage(renderer);
  const robot = createRobotModel();
  const ghost = createGhost();
  const drag = new PushDrag();
  const table = new TableObjects();
  stage.scene.add(robot.root, ghost.root, table.root, drag.band);
  robot.root.visible = false;
  stage.setTheme(options.theme);

  const rig = new CameraRig(canvas, options.calm !== true);
  const { camera, controls } = rig;

  const timeline = new Timeline(blend);
  let latest: Frame | undefined;
  let drawn: Frame | undefined;
  let mood: Mood = { awake: true, glow: "awake" };
  let dirty = true;
  let lids = -1;
  let blink: ReturnType<typeof setTimeout> | undefined;

  const loop = new RenderLoop(canvas, (now) => {
    const gliding = controls.update();
    const frame = timeline.sample(now);
    if (frame && (drawn === undefined || distance(frame, drawn) > INVISIBLE)) {
      robot.apply(frame);
      robot.root.visible = true;
      drawn = frame;
      renderer.shadowMap.needsUpdate = true;
      dirty = true;
    }
    if (table.draw(now)) {
      stage.lightAsFarAs(table.reach);
      renderer.shadowMap.needsUpdate = true;
      dirty = true;
    }
    const closed = eyelids(now, mood.awake, options.calm === true);
    if (closed !== lids) {
      robot.setLids(closed);
      lids = closed;
      dirty = true;
    }
    if (drag.active) {
      drag.push();
      dirty = true;
    }
    if (dirty || gliding) renderer.render(stage.scene, camera);
    dirty = false;
    scheduleBlink(now);
    const behind = latest !== undefined && (drawn === undefined || distance(latest, drawn) > INVISIBLE);
    return gliding || behind || table.behind || drag.active || (mood.awake && closed > 0);
  });
  const redraw = () => {
    dirty = true;
    loop.wake();
  };
  /** A still robot is not drawn, so the next blink has to wake the loop. */
  const scheduleBlink = (now: number) => {
    if (options.calm === true || !mood.awake) return;
    clearTimeout(blink);
    blink = setTimeout(() => loop.wake(), untilBlink(now) * 1000);
  };
  const resize = () => {
    const { clientWidth, clientHeight } = canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(clientWidth, clientHeight, false);
    rig.fit(clientWidth, clientHeight);
    redraw();
  };
  const sizes = new ResizeObserver(resize);
  sizes.observe(canvas);
  const objects = () => table.bodies;
  const { onPush } = options;
  const hands = listenForHands({ canvas, camera, controls, drag, parts: robot.pushable, objects, onPush, redraw });
  controls.addEventListener("change", redraw);
  resize();
  rig.home();

  return {
    update(stamp, frame) {
      latest = frame;
      timeline.push(stamp, frame, performance.now() / 1000);
      if (drawn === undefined || distance(frame, drawn) > INVISIBLE) loop.wake();
    },
    show(frame) {
      timeline.clear();
      this.update(0, frame);
    },
    setObjects(stamp, objects) {
      table.update(stamp, objects, performance.now() / 1000);
      if (table.behind) loop.wake();
    },
    showObjects(objects) {
      table.show(objects);
      loop.wake();
    },
    setGhost(frame) {
      if (ghost.apply(frame)) redraw();
    },
    setMood(next) {
      mood = next;
      robot.setGlow(next.glow);
      redraw();
    },
    setTheme(theme) {
      stage.setTheme(theme);
      redraw();
    },
    resetCamera() {
      rig.home();
      redraw();
    },
    setInset(pixels) {
      rig.fit(canvas.clientWidth, canvas.clientHeight, pixels);
      redraw();
    },
    pick: (x, y) => drag.pick(pointerAt(canvas, x, y), camera, [...robot.pushable, ...table.bodies])?.body.name,
    resize,
    dispose() {
      clearTimeout(blink);
      loop.stop();
      sizes.disconnect();
      hands.dispose();
      controls.dispose();
      disposeTree(stage.scene);
      stage.dispose();
      renderer.dispose();
    },
  };
}
