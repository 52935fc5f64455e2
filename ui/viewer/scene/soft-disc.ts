import { CanvasTexture } from "three";

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
