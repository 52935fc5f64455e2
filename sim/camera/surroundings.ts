import { TABLE_HALF_WIDTH } from "../table.ts";
import { type Canvas, type Colour, packed } from "./canvas.ts";

/** Metres: squares on the table and on the floor, the floor's height, and the distance and top of the wall. */
const TABLE_SQUARE = 0.1;
const FLOOR_SQUARE = 0.5;
const FLOOR = -0.72;
const WALL = 3;
const CEILING = 1.9;
/** Radius of the board with the robot's dial, metres. */
const BOARD = 0.13;
const TABLE_COLOUR: Colour = [236, 226, 211];
const BOARD_COLOUR: Colour = [206, 194, 176];
const FLOOR_COLOUR: Colour = [139, 128, 119];
const CEILING_COLOUR = packed([246, 245, 242]);
const WALL_COLOUR = packed([205, 210, 216]);
/** Coloured panels stand along the wall, so that pictures show where the head looks. */
const PANELS = 12;
/** Radians from the middle of a panel to its side, seen from the middle of the table. */
const PANEL_HALF_WIDTH = 0.06;
/** Height above the table, metres. */
const PANEL_TOP = 1.3;
const PANEL_STEP = (2 * Math.PI) / PANELS;

/** One hue for each panel; the first is straight ahead of the robot, the others follow to its left. */
const PANEL_COLOURS = Int32Array.from({ length: PANELS }, (_, panel) => {
  const wave = (third: number) => 128 + 78 * Math.cos(panel * PANEL_STEP - (third * 2 * Math.PI) / 3);
  return packed([wave(0), wave(1), wave(2)]);
});

/**
 * Draws what is always there: the table, and a round room around it that is far enough away to look still. It visits
 * every pixel, and therefore calls only functions that the compiler inlines.
 */
export function drawSurroundings({ rays, depth, colours, axes, place }: Canvas): void {
  const [[rx, ry, rz], [ux, uy, uz], [fx, fy, fz]] = axes;
  const [px, py, pz] = place.position;
  for (let pixel = 0; pixel < depth.length; pixel += 1) {
    const x = rays[2 * pixel] as number;
    const y = rays[2 * pixel + 1] as number;
    const dx = fx + x * rx + y * ux;
    const dy = fy + x * ry + y * uy;
    const dz = fz + x * rz + y * uz;
    const table = dz < 0 ? -pz / dz : -1;
    const tableX = px + table * dx;
    const tableY = py + table * dy;
    if (table > 0 && Math.abs(tableX) < TABLE_HALF_WIDTH && Math.abs(tableY) < TABLE_HALF_WIDTH) {
      depth[pixel] = table;
      const isBoard = tableX * tableX + tableY * tableY < BOARD * BOARD;
      colours[pixel] = chequered(isBoard ? BOARD_COLOUR : TABLE_COLOUR, tableX, tableY, TABLE_SQUARE, table);
      continue;
    }
    depth[pixel] = Number.POSITIVE_INFINITY;
    const floor = dz < 0 ? (FLOOR - pz) / dz : -1;
    const floorX = px + floor * dx;
    const floorY = py + floor * dy;
    const isFloor = floor > 0 && floorX * floorX + floorY * floorY < WALL * WALL;
    colours[pixel] = isFloor
      ? chequered(FLOOR_COLOUR, floorX, floorY, FLOOR_SQUARE, floor)
      : wallColour(pz, dx, dy, dz);
  }
}

/** A chequered colour. Its contrast decreases with distance, because far squares are smaller than a pixel. */
function chequered(colour: Colour, x: number, y: number, side: number, distance: number): number {
  const isDark = (Math.floor(x / side) + Math.floor(y / side)) & 1;
  const shade = isDark === 1 ? 1 - 0.09 / (1 + (0.06 * distance) / side) : 1;
  return (255 << 24) | ((colour[2] * shade) << 16) | ((colour[1] * shade) << 8) | (colour[0] * shade);
}

function wallColour(eye: number, dx: number, dy: number, dz: number): number {
  const height = eye + (WALL * dz) / Math.sqrt(dx * dx + dy * dy);
  if (height > CEILING) return CEILING_COLOUR;
  if (height > PANEL_TOP) return WALL_COLOUR;
  const turns = Math.atan2(dy, dx) / PANEL_STEP;
  const nearest = Math.round(turns);
  if (Math.abs(turns - nearest) * PANEL_STEP > PANEL_HALF_WIDTH) return WALL_COLOUR;
  return PANEL_COLOURS[(nearest + PANELS) % PANELS] as number;
}
