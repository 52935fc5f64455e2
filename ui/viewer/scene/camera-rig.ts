import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Metres: what the camera looks at, and its direction after a reset. */
const LOOK_AT = new Vector3(0, 0, 0.172);
const DIRECTION = new Vector3(0.66, 0.3, 0.138).normalize();
/** Metres from there; a narrow canvas needs more. */
const DISTANCE = { wide: 1, narrow: 1.2 };
/** Metres at which the whole height of a canvas shows the robot from the table to the tips of its antennas. */
const WHOLE_ROBOT = 0.88;

/** A camera that orbits the robot by mouse, touch and wheel, and never goes below the table. */
export class CameraRig {
  readonly camera = new PerspectiveCamera(28, 1, 0.05, 5);
  readonly controls: OrbitControls;
  #inset = 0;
  /** Part of the canvas's height that nothing covers. */
  #visible = 1;
  /** False once a person has moved the camera. */
  #isReset = false;

  constructor(canvas: HTMLCanvasElement, damping: boolean) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = damping;
    this.controls.enablePan = false;
    this.controls.minDistance = 0.35;
    this.controls.maxDistance = 1.6;
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.addEventListener("start", () => {
      this.#isReset = false;
    });
    // A finger that goes up or down scrolls the page; the controls would take every gesture.
    canvas.style.touchAction = "pan-y";
  }

  reset(): void {
    const fitting = this.camera.aspect < 0.95 ? DISTANCE.narrow : DISTANCE.wide;
    const distance = Math.min(Math.max(fitting, WHOLE_ROBOT / this.#visible), this.controls.maxDistance);
    this.#isReset = true;
    this.controls.target.copy(LOOK_AT);
    this.camera.position.copy(LOOK_AT).addScaledVector(DIRECTION, distance);
    this.controls.update();
  }

  /**
   * Fits the picture to a canvas in pixels; something else covers `inset` of them at the lower edge. A canvas without an
   * area, which is hidden, changes only the inset.
   */
  fit(width: number, height: number, inset = this.#inset): void {
    this.#inset = inset;
    if (width === 0 || height === 0) return;
    this.camera.aspect = width / height;
    this.#visible = Math.max(height - inset, 1) / height;
    this.camera.setViewOffset(width, height, 0, inset / 2, width, height);
    if (this.#isReset) this.reset();
  }
}
