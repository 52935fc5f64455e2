import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import type { Picture } from "../../../robot/camera/picture.ts";

/** Of pictures from outside: megapixels and megabytes that decoding may take. */
const LIMITS = { maxResolutionInMP: 50, maxMemoryUsageInMB: 512 };
const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47];

/** Decodes JPEG or PNG. @throws Error that says what is wrong with the data */
export function decodePicture(bytes: Uint8Array): Picture {
  if (PNG_MAGIC.every((byte, i) => bytes[i] === byte)) {
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
    return { width, height, rgba: data };
  }
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true, ...LIMITS });
  return { width, height, rgba: data };
}

/** NumPy's format (version 1.0) puts the data at a multiple of so many bytes. */
const NPY_ALIGNMENT = 64;

/** An array of NumPy with the shape (height, width, 3): blue, green, red. */
export function encodeNpy({ width, height, rgba }: Picture): Uint8Array {
  const fields = `{'descr': '|u1', 'fortran_order': False, 'shape': (${height}, ${width}, 3), }`;
  const start = "\x93NUMPY\x01\x00".length + 2;
  const size = Math.ceil((start + fields.length + 1) / NPY_ALIGNMENT) * NPY_ALIGNMENT;
  const out = new Uint8Array(size + 3 * width * height);
  const header = Buffer.from(out.buffer, 0, size);
  header.fill(" ").write("\x93NUMPY\x01\x00", "latin1");
  header.writeUInt16LE(size - start, start - 2);
  header.write(fields, start);
  header.write("\n", size - 1);
  for (let from = 0, to = size; from < rgba.length; from += 4, to += 3) {
    out[to] = rgba[from + 2] as number;
    out[to + 1] = rgba[from + 1] as number;
    out[to + 2] = rgba[from] as number;
  }
  return out;
}

/** The whole picture in another size, black beside it where the proportions differ. Each pixel is the mean of an area. */
export function fitPicture(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const factor = Math.min(width / picture.width, height / picture.height);
  const [shownWidth, shownHeight] = [Math.round(picture.width * factor), Math.round(picture.height * factor)];
  const [left, top] = [(width - shownWidth) >> 1, (height - shownHeight) >> 1];
  const rgba = new Uint8Array(4 * width * height);
  for (let v = 0; v < shownHeight; v += 1) {
    for (let u = 0; u < shownWidth; u += 1) {
      const at = 4 * ((v + top) * width + u + left);
      rgba.set(meanOf(picture, u / factor, v / factor, (u + 1) / factor, (v + 1) / factor), at);
    }
  }
  return { width, height, rgba };
}

/** The mean colour of the pixels whose middle is in a rectangle, or of the one at its middle when there is none. */
function meanOf({ width, height, rgba }: Picture, left: number, top: number, right: number, bottom: number) {
  const clamp = (value: number, limit: number) => Math.min(limit - 1, Math.max(0, value));
  let [fromU, toU] = [Math.round(left), Math.round(right)];
  let [fromV, toV] = [Math.round(top), Math.round(bottom)];
  if (toU <= fromU) [fromU, toU] = [Math.floor((left + right) / 2), Math.floor((left + right) / 2) + 1];
  if (toV <= fromV) [fromV, toV] = [Math.floor((top + bottom) / 2), Math.floor((top + bottom) / 2) + 1];
  const sum: [number, number, number] = [0, 0, 0];
  for (let v = fromV; v < toV; v += 1) {
    for (let u = fromU; u < toU; u += 1) {
      const at = 4 * (clamp(v, height) * width + clamp(u, width));
      for (const channel of [0, 1, 2] as const) sum[channel] += rgba[at + channel] as number;
    }
  }
  const count = (toU - fromU) * (toV - fromV);
  return [sum[0] / count, sum[1] / count, sum[2] / count, 255];
}
