import { CanvasTexture, CylinderGeometry, Group, Mesh, MeshStandardMaterial, SRGBColorSpace } from "three";
import type { Theme } from "./model/materials.ts";

/** Metres. */
const RADIUS = 0.13;
const THICKNESS = 0.006;

const LOOK = {
  light: { board: "#e9e0d3", side: "#d8ccba", ink: "#6f5f4a" },
  dark: { board: "#262b35", side: "#1a1e26", ink: "#7b879c" },
} as const;

/** A round board under the robot, with a mark for every 10 degrees that the body can turn. */
export function createTable(): { root: Group; setTheme(theme: Theme): void } {
  const top = new MeshStandardMaterial({ roughness: 0.9 });
  const side = new MeshStandardMaterial({ roughness: 0.8 });
  const board = new Mesh(new CylinderGeometry(RADIUS, RADIUS - 0.002, THICKNESS, 128), [side, top, side]);
  board.rotation.x = Math.PI / 2;
  board.position.z = -THICKNESS / 2;
  board.receiveShadow = true;
  board.castShadow = true;
  const root = new Group();
  root.add(board);
  return {
    root,
    setTheme(theme) {
      const look = LOOK[theme];
      side.color.set(look.side);
      top.map?.dispose();
      top.map = drawnBoard(look.board, look.ink);
      top.needsUpdate = true;
    },
  };
}

/** The board from above: the cylinder's cap maps forward (x) to the picture's upper edge. */
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
    paint.rotate(-Math.PI / 2);
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
