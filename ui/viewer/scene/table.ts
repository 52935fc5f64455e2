import { CanvasTexture, CircleGeometry, Group, Mesh, MeshStandardMaterial, SRGBColorSpace } from "three";
import type { Theme } from "../model/materials.ts";

/** Metres: the dial under the robot, and where the table has faded into the page. */
const DIAL = 0.13;
const TABLE = 0.8;
/** Metres that the dial lies above the table; less would flicker. */
const INLAY = 0.0004;

const LOOK = {
  light: { table: "#efe7db", board: "#dfd4c4", ink: "#54462f" },
  dark: { table: "#232833", board: "#2b313d", ink: "#7b879c" },
} as const;

/** A table that fades into the page, and on it a dial with a mark for every 10 degrees that the body can turn. */
export function createTable(): { root: Group; setTheme(theme: Theme): void } {
  const wood = new MeshStandardMaterial({ roughness: 0.95, transparent: true, alphaMap: softDisc(0.3, 1) });
  const board = new MeshStandardMaterial({ roughness: 0.9 });
  const top = new Mesh(new CircleGeometry(TABLE, 96), wood);
  const dial = new Mesh(new CircleGeometry(DIAL, 128), board);
  dial.position.z = INLAY;
  top.receiveShadow = true;
  dial.receiveShadow = true;
  const root = new Group();
  root.add(top, dial);
  return {
    root,
    setTheme(theme) {
      const look = LOOK[theme];
      wood.color.set(look.table);
      board.map?.dispose();
      board.map = drawnBoard(look.board, look.ink);
      board.needsUpdate = true;
    },
  };
}

/** The dial from above; forward (x) is to the picture's right. */
function drawnBoard(board: string, ink: string): CanvasTexture {
  const size = 1024;
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const paint = canvas.getContext("2d");
  if (paint !== null) {
    paint.fillStyle = board;
    paint.fillRect(0, 0, size, size);
    paint.translate(size / 2, size / 2);
    paint.scale(1, -1);
    paint.strokeStyle = ink;
    paint.fillStyle = ink;
    paint.lineCap = "round";
    for (let degrees = -160; degrees <= 160; degrees += 10) {
      const turn = (degrees * Math.PI) / 180;
      const long = degrees % 30 === 0;
      paint.globalAlpha = long ? 0.9 : 0.6;
      paint.lineWidth = long ? 8 : 6;
      paint.beginPath();
      paint.moveTo(Math.cos(turn) * size * (long ? 0.432 : 0.444), Math.sin(turn) * size * (long ? 0.432 : 0.444));
      paint.lineTo(Math.cos(turn) * size * 0.46, Math.sin(turn) * size * 0.46);
      paint.stroke();
    }
    paint.globalAlpha = 0.85;
    paint.beginPath();
    paint.moveTo(size * 0.425, 0);
    paint.lineTo(size * 0.402, -size * 0.014);
    paint.lineTo(size * 0.402, size * 0.014);
    paint.fill();
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

/** White in the middle, fading to black between two shares of its radius. */
export function softDisc(solid: number, end: number): CanvasTexture {
  const size = 256;
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const paint = canvas.getContext("2d");
  if (paint !== null) {
    const fade = paint.createRadialGradient(
      size / 2,
      size / 2,
      (solid * size) / 2,
      size / 2,
      size / 2,
      (end * size) / 2,
    );
    fade.addColorStop(0, "#fff");
    fade.addColorStop(1, "#000");
    paint.fillStyle = fade;
    paint.fillRect(0, 0, size, size);
  }
  return new CanvasTexture(canvas);
}
