/** A camera: the size of its pictures, and where in them a direction is. */
export interface Lens {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Focal lengths and principal point, pixels. */
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  /** Coefficients of OpenCV's rational model with thin prisms: k1, k2, p1, p2, k3, k4, k5, k6, s1, s2, s3, s4. */
  readonly distortion: readonly number[];
}

/** Pixels of the sensor for which the public SDK states the calibration, and the part of it that a picture shows. */
const SENSOR = { width: 3840, height: 2592, fx: 2001.80764, fy: 2003.07789, cx: 1905.87606, cy: 1328.32397 };
const SIZE = { width: 1280, height: 720 } as const;
/** Sensor pixels per pixel. The picture has the sensor's whole width; its top and bottom are cut off equally. */
const BINNING = SENSOR.width / SIZE.width;
const CUT_OFF = (SENSOR.height - BINNING * SIZE.height) / 2;

/** The camera in the head: 1280x720, 88 degrees wide and 57 high. Calibration of the public SDK (`wireless`). */
export const HEAD_CAMERA_LENS: Lens = {
  ...SIZE,
  fx: SENSOR.fx / BINNING,
  fy: SENSOR.fy / BINNING,
  cx: SENSOR.cx / BINNING,
  cy: (SENSOR.cy - CUT_OFF) / BINNING,
  distortion: [
    -1.46523203, 0.65427141, 0.01214781, -0.00267729, 0.30359399, -1.43008091, 0.57002408, 0.35672993, 0.00305736,
    0.00033576, -0.00989713, -0.00205092,
  ],
};

/** The lens of the same camera whose pictures are smaller: `width` pixels wide, with the same proportions. */
export function scaledLens(lens: Lens, width: number): Lens {
  const factor = width / lens.width;
  const { fx, fy, cx, cy, distortion } = lens;
  const height = Math.round(lens.height * factor);
  return { width, height, fx: fx * factor, fy: fy * factor, cx: cx * factor, cy: cy * factor, distortion };
}

/** A point in a picture (pixels), or in the plane one metre in front of an ideal camera (metres). */
export type Vec2 = readonly [x: number, y: number];

/** Where the lens shows a point of the plane z = 1 in front of it (x right, y down, metres): pixels. */
export function pixelOf({ fx, fy, cx, cy, distortion }: Lens, [x, y]: Vec2): Vec2 {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0] = distortion;
  const r2 = x * x + y * y;
  const radial = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / (1 + r2 * (k4 + r2 * (k5 + r2 * k6)));
  const dx = 2 * p1 * x * y + p2 * (r2 + 2 * x * x) + r2 * (s1 + r2 * s2);
  const dy = p1 * (r2 + 2 * y * y) + 2 * p2 * x * y + r2 * (s3 + r2 * s4);
  return [cx + fx * (x * radial + dx), cy + fy * (y * radial + dy)];
}

/** Steps of the iteration; within the picture, ten leave an error far below a thousandth of a pixel. */
const MAX_STEPS = 30;
const CLOSE_ENOUGH_PX = 1e-6;

/** The inverse of `pixelOf`, by fixed-point iteration: the distortion is small. */
export function pointAtPixel(lens: Lens, [u, v]: Vec2): Vec2 {
  let x = (u - lens.cx) / lens.fx;
  let y = (v - lens.cy) / lens.fy;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const [atU, atV] = pixelOf(lens, [x, y]);
    if (Math.hypot(u - atU, v - atV) < CLOSE_ENOUGH_PX) break;
    x += (u - atU) / lens.fx;
    y += (v - atV) / lens.fy;
  }
  return [x, y];
}
