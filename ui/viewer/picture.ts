import { NeutralToneMapping, type Object3D, PCFShadowMap, type PerspectiveCamera, type WebGLRenderer } from "three";
import type { BodyDrag } from "./drag/body-drag.ts";
import { eyelidClosure } from "./frames/eyelids.ts";
import { type Frame, frameDistance, IMPERCEPTIBLE, interpolateFrames } from "./frames/frame.ts";
import { JitterBuffer } from "./frames/jitter-buffer.ts";
import { disposeTree } from "./model/dispose.ts";
import { createGhost } from "./model/ghost.ts";
import type { Glow, Theme } from "./model/materials.ts";
import { createRobotModel } from "./model/robot-model.ts";
import { TableObjects } from "./objects/table-objects.ts";
import { Studio } from "./scene/studio.ts";

/** What the eyes show: closed unless awake, and a glow. */
export interface Eyes {
  awake: boolean;
  glow: Glow;
}

/** Draws the robot, its ghost and the objects; renders only what has changed since the last drawing. */
export class Picture {
  readonly objects = new TableObjects();
  readonly #renderer: WebGLRenderer;
  readonly #studio = new Studio();
  readonly #robot = createRobotModel();
  readonly #ghost = createGhost();
  readonly #buffer = new JitterBuffer(interpolateFrames);
  readonly #drag: BodyDrag;
  readonly #reducedMotion: boolean;
  #latest: Frame | undefined;
  #drawn: Frame | undefined;
  #eyes: Eyes = { awake: true, glow: "on" };
  #closure = -1;
  #dirty = true;

  constructor(renderer: WebGLRenderer, drag: BodyDrag, theme: Theme, reducedMotion: boolean) {
    this.#renderer = renderer;
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#drag = drag;
    this.#reducedMotion = reducedMotion;
    this.#studio.scene.add(this.#robot.root, this.#ghost.root, this.objects.root, drag.band);
    this.#studio.setTheme(theme);
    this.#robot.root.visible = false;
  }

  /** Parts of the robot that a person can push. */
  get pushable(): readonly Object3D[] {
    return this.#robot.pushable;
  }

  get blinks(): boolean {
    return this.#eyes.awake && !this.#reducedMotion;
  }

  /** @param stamp the sender's clock, seconds @param now the viewer's clock, seconds */
  update(stamp: number, frame: Frame, now: number): void {
    this.#latest = frame;
    this.#buffer.push(stamp, frame, now);
  }

  /** Shows the next frame directly, without interpolation from the last one. */
  skipInterpolation(): void {
    this.#buffer.clear();
  }

  /** Whether the drawing of the robot or of an object has not reached the latest state yet. */
  get isMoving(): boolean {
    return this.#isVisibleMove(this.#latest) || this.objects.isMoving;
  }

  /** @returns whether the picture changes */
  setGhost(frame: Frame | null): boolean {
    const changes = this.#ghost.apply(frame);
    if (changes) this.invalidate();
    return changes;
  }

  setEyes(eyes: Eyes): void {
    this.#eyes = eyes;
    this.#robot.setGlow(eyes.glow);
    this.invalidate();
  }

  setTheme(theme: Theme): void {
    this.#studio.setTheme(theme);
    this.invalidate();
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(width, height, false);
    this.invalidate();
  }

  /** Makes the next `draw` render even if nothing moves. */
  invalidate(): void {
    this.#dirty = true;
  }

  /**
   * Moves everything to where it is at `now` (seconds) and renders what has changed.
   * @returns whether something is still moving
   */
  draw(now: number, camera: PerspectiveCamera): boolean {
    const frame = this.#buffer.sample(now);
    if (frame !== undefined && this.#isVisibleMove(frame)) {
      this.#robot.apply(frame);
      this.#robot.root.visible = true;
      this.#drawn = frame;
      this.#invalidateShadows();
    }
    if (this.objects.draw(now)) {
      this.#studio.setShadowReach(this.objects.reach);
      this.#invalidateShadows();
    }
    const closure = eyelidClosure(now, this.#eyes.awake, this.#reducedMotion);
    if (closure !== this.#closure) {
      this.#robot.setEyelids(closure);
      this.#closure = closure;
      this.invalidate();
    }
    if (this.#drag.update() !== undefined) this.invalidate();
    if (this.#dirty) this.#renderer.render(this.#studio.scene, camera);
    this.#dirty = false;
    const blinking = this.#eyes.awake && closure > 0;
    return this.isMoving || this.#drag.active || blinking;
  }

  dispose(): void {
    disposeTree(this.#studio.scene);
    this.#studio.dispose();
    this.#renderer.dispose();
  }

  #isVisibleMove(frame: Frame | undefined): boolean {
    if (frame === undefined) return false;
    return this.#drawn === undefined || frameDistance(frame, this.#drawn) > IMPERCEPTIBLE;
  }

  #invalidateShadows(): void {
    this.#renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }
}
