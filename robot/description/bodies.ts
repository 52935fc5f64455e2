import type { Quaternion, Vec3 } from "./frames.ts";

/** Mass properties of a rigid part, with every joint at zero and all axes parallel to the world's. */
export interface Body {
  readonly name: BodyName;
  /** kg. */
  readonly mass: number;
  /** Reference point of the part, world frame, metres: its joint; for the head, the head frame. */
  readonly origin: Vec3;
  /** Centre of mass relative to the origin, metres. */
  readonly centre: Vec3;
  /** Principal moments of inertia about the centre of mass, kg m2. */
  readonly moments: Vec3;
  /** Rotates the principal axes into the world's. */
  readonly principalAxes: Quaternion;
}

export const LEG_NUMBERS = [1, 2, 3, 4, 5, 6] as const;
export type LegNumber = (typeof LEG_NUMBERS)[number];
export type BodyName =
  | "foot"
  | "trunk"
  | `arm_${LegNumber}`
  | `rod_${LegNumber}`
  | "head"
  | "right_antenna"
  | "left_antenna";

/** Every part, from the bottom up; measured from the robot's public description. */
export const BODIES: readonly Body[] = [
  {
    name: "foot",
    mass: 0.0617881,
    origin: [0, 0, 0],
    centre: [0.00290221, 0.000112574, 0.0132607],
    moments: [1.103451e-4, 6.915673e-5, 6.072769e-5],
    principalAxes: [0.493924805, -0.506314789, 0.494207115, 0.505413641],
  },
  {
    name: "trunk",
    mass: 0.78209,
    origin: [0, 0, 0.0348],
    centre: [0.000620297, -0.000002192, 0.0201687],
    moments: [2.550741e-3, 2.33791e-3, 2.238079e-3],
    principalAxes: [0.000013033, -0.756370191, 0.000576492, 0.654143563],
  },
  {
    name: "arm_1",
    mass: 0.00366675,
    origin: [0.030490354, 0.0328112, 0.0766333],
    centre: [0.018889341, -0.014783699, 1e-9],
    moments: [1.29627e-6, 1.28019e-6, 5.489646e-8],
    principalAxes: [-0.304059298, 0.638394876, -0.638394443, 0.304059963],
  },
  {
    name: "arm_2",
    mass: 0.00366675,
    origin: [0.013169754, 0.0428112, 0.0766333],
    centre: [-0.022247723, 0.008966815, -1e-9],
    moments: [1.29627e-6, 1.28019e-6, 5.489646e-8],
    principalAxes: [0.400835624, -0.582521012, -0.582520648, 0.400836335],
  },
  {
    name: "arm_3",
    mass: 0.00366675,
    origin: [-0.043660846, 0.01, 0.0766333],
    centre: [0.00335838, 0.0237505, 1e-9],
    moments: [1.29627e-6, 1.28019e-6, 5.489646e-8],
    principalAxes: [-0.704895838, 0.055874245, -0.055873447, 0.704895797],
  },
  {
    name: "arm_4",
    mass: 0.00366675,
    origin: [-0.043660846, -0.01, 0.0766333],
    centre: [0.00335838, -0.0237505, -1e-9],
    moments: [1.29627e-6, 1.28019e-6, 5.489646e-8],
    principalAxes: [0.704895797, 0.055873447, 0.055874245, 0.704895838],
  },
  {
    name: "arm_5",
    mass: 0.00366675,
    origin: [0.013169754, -0.0428112, 0.0766333],
    centre: [-0.022247723, -0.008966815, 1e-9],
    moments: [1.29627e-6, 1.28019e-6, 5.489646e-8],
    principalAxes: [-0.400836335, -0.582520648, 0.582521012, 0.400835624],
  },
  {
    name: "arm_6",
    mass: 0.00366675,
    origin: [0.030490354, -0.0328112, 0.0766333],
    centre: [0.018889341, 0.014783699, -1e-9],
    moments: [1.29627e-6, 1.28019e-6, 5.489646e-8],
    principalAxes: [0.304059966, 0.638394443, 0.638394876, 0.304059295],
  },
  {
    name: "rod_1",
    mass: 0.00503424,
    origin: [0.061631361, 0.006749012, 0.0766333],
    centre: [-0.020491742, 0.007507369, 0.036468979],
    moments: [3.66473e-6, 3.65211e-6, 2.63976e-8],
    principalAxes: [0.182105679, -0.194401001, -0.860719166, 0.433829794],
  },
  {
    name: "rod_2",
    mass: 0.00503424,
    origin: [-0.024971257, 0.056749035, 0.0766333],
    centre: [0.01674731, -0.013992606, 0.0364688],
    moments: [3.664731e-6, 3.652117e-6, 2.63974e-8],
    principalAxes: [0.252384191, 0.085184298, 0.503194935, 0.822095319],
  },
  {
    name: "rod_3",
    mass: 0.00503424,
    origin: [-0.036660846, 0.05, 0.0766333],
    centre: [0.003744275, -0.021499955, 0.036468806],
    moments: [3.66473e-6, 3.65211e-6, 2.63976e-8],
    principalAxes: [-0.94919198, 0.167571902, 0.090628629, 0.250480925],
  },
  {
    name: "rod_4",
    mass: 0.00503424,
    origin: [-0.036660846, -0.05, 0.0766333],
    centre: [0.00374429, 0.021499956, 0.036468805],
    moments: [3.66473e-6, 3.65211e-6, 2.63976e-8],
    principalAxes: [0.963407018, 0.029878221, -0.053814461, 0.26087969],
  },
  {
    name: "rod_5",
    mass: 0.00503424,
    origin: [-0.024971257, -0.056749035, 0.0766333],
    centre: [0.016747369, 0.013992642, 0.036468796],
    moments: [3.66473e-6, 3.65211e-6, 2.63976e-8],
    principalAxes: [-0.523007585, -0.809634922, 0.254378488, 0.079031286],
  },
  {
    name: "rod_6",
    mass: 0.00503424,
    origin: [0.061631361, -0.006749012, 0.0766333],
    centre: [-0.020491619, -0.007507309, 0.036468827],
    moments: [3.66473e-6, 3.65211e-6, 2.63976e-8],
    principalAxes: [-0.847949732, 0.458287321, -0.176466794, 0.199533092],
  },
  {
    name: "head",
    mass: 0.259259,
    origin: [-1.64e-7, 2.3e-8, 0.149571134],
    centre: [0.003267555, -0.000966811, 0.051274828],
    moments: [6.605953e-4, 6.166159e-4, 4.055088e-4],
    principalAxes: [-0.451138855, 0.544320059, 0.561131424, 0.430489177],
  },
  {
    name: "right_antenna",
    mass: 0.0105926,
    origin: [-0.03675686, -0.052192484, 0.22159044],
    centre: [-0.002892658, -0.004326774, 0.038475078],
    moments: [2.69314e-5, 2.690412e-5, 2.81676e-7],
    principalAxes: [-0.019215304, 0.046123, -0.496195211, 0.866772031],
  },
  {
    name: "left_antenna",
    mass: 0.0105926,
    origin: [-0.036756872, 0.052192573, 0.221590422],
    centre: [-0.002913349, 0.004290439, 0.038477586],
    moments: [2.69314e-5, 2.690412e-5, 2.81676e-7],
    principalAxes: [-0.045831479, 0.019774515, -0.861134487, 0.505920784],
  },
];

/** The part of this name. */
export const bodyOf = (name: BodyName): Body => BODIES.find((body) => body.name === name) as Body;
