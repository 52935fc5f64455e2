import { crc32 } from "node:zlib";
import { PNG } from "pngjs";
import type { Picture } from "../../robot/camera/picture.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_BYTES = 12;
/** The longest time that a frame can be shown, milliseconds. */
const MAX_DELAY_MS = 65_535;
/** PNG's number for pixels of red, green and blue, and the bits of each. */
const COLOUR_TYPE_RGB = 2;
const BIT_DEPTH = 8;

/** A part of a picture, and for how long the whole is shown with it. */
interface Frame {
  readonly x: number;
  readonly y: number;
  readonly part: Picture;
  delayMs: number;
}

/** Encodes a picture as PNG. */
export const encodePng = (picture: Picture): Buffer => {
  const { width, height, rgba } = picture;
  const png = Object.assign(new PNG({ width, height }), {
    data: Buffer.from(rgba.buffer, rgba.byteOffset, rgba.length),
  });
  return PNG.sync.write(png, { colorType: COLOUR_TYPE_RGB, deflateLevel: 6 });
};

/**
 * Encodes pictures of one size as an animated PNG, which browsers play in a loop; other programs show the first. Of each picture
 * only the part that differs from the one before is stored.
 * @param pictures at least one
 * @param frameMs milliseconds for which each is shown, at most 65,535
 * @throws RangeError without a picture
 */
export function encodeAnimatedPng(pictures: Iterable<Picture>, frameMs: number): Buffer {
  const frames: Frame[] = [];
  let former: Picture | undefined;
  for (const picture of pictures) {
    const changed = former === undefined ? whole(picture) : changedPart(former, picture);
    const last = frames.at(-1);
    if (changed === undefined && last !== undefined && last.delayMs + frameMs <= MAX_DELAY_MS) last.delayMs += frameMs;
    // A frame cannot be empty: where nothing changes, it is one pixel.
    else frames.push({ ...(changed ?? { x: 0, y: 0, part: crop(picture, 0, 0, 1, 1) }), delayMs: frameMs });
    former = picture;
  }
  if (former === undefined) throw new RangeError("an animation has at least one picture");
  let sequence = 0;
  const chunks: Buffer[] = [];
  for (const { x, y, part, delayMs } of frames) {
    const control = Buffer.alloc(26);
    [sequence++, part.width, part.height, x, y].forEach((value, at) => void control.writeUInt32BE(value, 4 * at));
    control.writeUInt16BE(delayMs, 20); // numerator and denominator of the seconds
    control.writeUInt16BE(1000, 22);
    chunks.push(chunkOf("fcTL", control));
    const data = Buffer.concat(pixelDataOf(encodePng(part)));
    if (chunks.length === 1) chunks.push(chunkOf("IDAT", data));
    else {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++);
      chunks.push(chunkOf("fdAT", Buffer.concat([number, data])));
    }
  }
  const counts = Buffer.alloc(8); // frames, and plays: 0 loops for ever
  counts.writeUInt32BE(frames.length);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(former.width);
  header.writeUInt32BE(former.height, 4);
  header[8] = BIT_DEPTH;
  header[9] = COLOUR_TYPE_RGB;
  const all = [chunkOf("IHDR", header), chunkOf("acTL", counts), ...chunks, chunkOf("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...all]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(CHUNK_BYTES + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** The contents of a PNG's chunks with the pixels. */
function pixelDataOf(png: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") found.push(png.subarray(at + 8, at + 8 + length));
    at += CHUNK_BYTES + length;
  }
  return found;
}

const whole = (part: Picture) => ({ x: 0, y: 0, part });

/** The smallest rectangle around all pixels that differ; undefined when none does. */
function changedPart(before: Picture, after: Picture): Omit<Frame, "delayMs"> | undefined {
  const { width, height } = after;
  const [one, other] = [before, after].map(({ rgba }) => new Uint32Array(rgba.buffer, rgba.byteOffset, width * height));
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (one?.[pixel] === other?.[pixel]) continue;
    const [column, row] = [pixel % width, Math.floor(pixel / width)];
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, row);
    bottom = row;
  }
  if (right < 0) return undefined;
  return { x: left, y: top, part: crop(after, left, top, right - left + 1, bottom - top + 1) };
}

function crop({ width: fullWidth, rgba }: Picture, x: number, y: number, width: number, height: number): Picture {
  const part = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row += 1) {
    const from = 4 * ((y + row) * fullWidth + x);
    part.set(rgba.subarray(from, from + 4 * width), 4 * row * width);
  }
  return { width, height, rgba: part };
}
