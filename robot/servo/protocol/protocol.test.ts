import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc16 } from "./crc.ts";
import {
  ALERT,
  type DamagedRequest,
  encodeFastSyncStatus,
  encodeInstruction,
  encodeStatus,
  Instruction,
  MAX_LENGTH,
  type Packet,
} from "./packet.ts";
import { StreamParser } from "./stream-parser.ts";
import * as make from "./testing/instructions.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const unhex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const le32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255];

describe("frames of the manufacturer's manual", () => {
  test.each([
    ["ping", make.ping(1), "fffffd0001030001194e"],
    ["broadcast ping", make.ping(254), "fffffd00fe0300013142"],
    ["read", make.read(1, 132, 4), "fffffd0001070002840004001d15"],
    ["write", make.write(1, 116, le32(512)), "fffffd0001090003740000020000ca89"],
    ["reg write", make.regWrite(1, 104, le32(200)), "fffffd00010900046800c8000000ae8e"],
    ["action", make.action(1), "fffffd000103000502ce"],
    ["factory reset", make.factoryReset(1, make.FactoryReset.keepId), "fffffd000104000601a1e6"],
    ["reboot", make.reboot(1), "fffffd00010300082f4e"],
    ["clear", make.clearTurns(1), "fffffd00010800100144584c22b1dc"],
    ["backup", make.backup(1), "fffffd0001080020014354524c16f5"],
    // The manual gives 92 for 9e, which is no CRC of these bytes.
    ["restore", make.restore(1), "fffffd0001080020024354524c9ef5"],
    ["sync read", make.syncRead(132, 4, [1, 2]), "fffffd00fe090082840004000102cefa"],
    [
      "sync write",
      make.syncWrite(116, 4, [
        { id: 1, data: le32(150) },
        { id: 2, data: le32(170) },
      ]),
      "fffffd00fe11008374000400019600000002aa0000008287",
    ],
    [
      "bulk read",
      make.bulkRead([
        { id: 1, address: 144, length: 2 },
        { id: 2, address: 146, length: 1 },
      ]),
      "fffffd00fe0d0092019000020002920001001a05",
    ],
    [
      "bulk write",
      make.bulkWrite([
        { id: 1, address: 32, data: [160, 0] },
        { id: 2, address: 31, data: [80] },
      ]),
      "fffffd00fe1000930120000200a000021f00010050b768",
    ],
    ["ping reply", encodeStatus(1, 0, [0x06, 0x04, 0x26]), "fffffd000107005500060426655d"],
    ["write reply", encodeStatus(1, 0), "fffffd000104005500a10c"],
    ["read reply", encodeStatus(1, 0, le32(166)), "fffffd000108005500a60000008cc0"],
    [
      "fast sync read reply",
      encodeFastSyncStatus([
        { id: 3, error: 0, data: Uint8Array.from(le32(166)) },
        { id: 7, error: 0, data: Uint8Array.from(le32(2079)) },
        { id: 4, error: 0, data: Uint8Array.from(le32(1023)) },
      ]),
      "fffffd00fe1900550003a6000000840800071f08000016ca0004ff030000d19e",
    ],
    [
      "fast bulk read reply",
      encodeFastSyncStatus([
        { id: 3, error: 0, data: Uint8Array.from(le32(166)) },
        { id: 7, error: 0, data: Uint8Array.of(0xa5, 0x01) },
        { id: 4, error: 0, data: Uint8Array.of(31) },
      ]),
      "fffffd00fe1400550003a600000067a40007a501247400041fd9c1",
    ],
  ])("%s", (_, bytes, golden) => {
    expect(hex(bytes)).toBe(golden);
    expect(new StreamParser().push(unhex(golden))).toHaveLength(1);
  });
});

test("a sync write with data of another length is refused", () => {
  expect(() => make.syncWrite(116, 4, [{ id: 1, data: [1, 2] }])).toThrow(/2 bytes in a sync write of 4/);
  expect(() => make.ping(255)).toThrow(RangeError);
  expect(() => make.write(1, 0, new Uint8Array(MAX_LENGTH))).toThrow(/at most 1024/);
});

/** Data in which headers and halves of headers are common. */
const data = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0xff, 0xfd, 0x00) }, fc.nat(255)), { maxLength: 40 })
  .map((bytes) => Uint8Array.from(bytes));
const anyPacket = fc.oneof(
  fc.record({
    kind: fc.constant("instruction" as const),
    id: fc.nat(254),
    instruction: fc.nat(254).filter((value) => value !== Instruction.status),
    params: data,
  }),
  fc.record({ kind: fc.constant("status" as const), id: fc.nat(252), error: fc.nat(255), params: data }),
);
const encode = (packet: Exclude<Packet, DamagedRequest>) =>
  packet.kind === "status"
    ? encodeStatus(packet.id, packet.error, packet.params)
    : encodeInstruction(packet.id, packet.instruction, packet.params);

/** Cuts bytes into chunks at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end));
}
const join = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

test("every packet is decoded as it was encoded, and no body contains a header", () => {
  fc.assert(
    fc.property(anyPacket, (packet) => {
      const bytes = encode(packet);
      expect(hex(bytes.subarray(7, -2))).not.toMatch(/^(..)*fffffd(?!fd)/);
      expect(new StreamParser().push(bytes)).toEqual([packet]);
    }),
  );
});

test("velocity -1 next to position 2045 is decoded (it contains FF FF FD)", () => {
  const params = Uint8Array.from([0, 0, ...le32(-1), ...le32(2045)]);
  const bytes = encodeStatus(11, 0, params);
  expect(bytes).toHaveLength(7 + 2 + params.length + 1 + 2);
  expect(new StreamParser().push(bytes)).toEqual([{ kind: "status", id: 11, error: 0, params }]);
});

test("chunks of any size give the same packets, and every byte is counted", () => {
  fc.assert(
    fc.property(fc.array(anyPacket, { maxLength: 12 }), fc.array(fc.nat()), (packets, places) => {
      const parser = new StreamParser();
      const found = cut(join(packets.map(encode)), places).flatMap((chunk) => parser.push(chunk));
      expect(found).toEqual(packets);
      expect([parser.junkBytes, parser.crcErrors, parser.pendingBytes]).toEqual([0, 0, 0]);
    }),
  );
});

test("packets between any garbage are decoded, in chunks of any size", () => {
  const garbage = fc.oneof(
    data,
    anyPacket.map((packet) => encode(packet).subarray(0, -2)),
    fc.constant(Uint8Array.of(0xff, 0xff, 0xfd, 0x00, 0x01, 0xff, 0x03, 0x02)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(garbage, anyPacket), { maxLength: 8 }), fc.array(fc.nat()), (stream, places) => {
      const bytes = join(stream.flatMap(([junk, packet]) => [junk, encode(packet)]));
      const parser = new StreamParser();
      const found = cut(bytes, places).flatMap((chunk) => parser.push(chunk));
      expect(found).toEqual(stream.map(([, packet]) => packet));
      const valid = stream.reduce((sum, [, packet]) => sum + encode(packet).length, 0);
      expect(valid + parser.junkBytes + parser.pendingBytes).toBe(bytes.length);
    }),
  );
});

test("a changed byte loses its packet and no other", () => {
  fc.assert(
    fc.property(anyPacket, fc.nat(), fc.integer({ min: 1, max: 255 }), (packet, place, change) => {
      const broken = encode(packet);
      broken[place % broken.length] = (broken[place % broken.length] ?? 0) ^ change;
      const parser = new StreamParser();
      expect(parser.push(join([broken, make.ping(7)]))).toEqual(new StreamParser().push(make.ping(7)));
      expect(parser.junkBytes).toBe(broken.length);
    }),
  );
});

test("a request with a changed CRC is reported to those who want it, and a reply never", () => {
  fc.assert(
    fc.property(anyPacket, fc.integer({ min: 1, max: 255 }), (packet, change) => {
      const broken = encode(packet);
      broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ change;
      const { kind, id } = packet;
      const expected = kind === "instruction" ? [{ kind: "damaged", id, instruction: packet.instruction }] : [];
      expect(new StreamParser(true).push(broken)).toEqual(expected);
      expect(new StreamParser().push(broken)).toEqual([]);
    }),
  );
});

test("a reset drops an incomplete packet", () => {
  const parser = new StreamParser();
  parser.push(make.ping(1).subarray(0, 6));
  parser.reset();
  expect([parser.pendingBytes, parser.junkBytes]).toEqual([0, 6]);
  expect(parser.push(make.ping(2))).toHaveLength(1);
});

test("a chunk larger than the parser's buffer loses nothing", () => {
  const bytes = join(Array.from({ length: 2000 }, (_, i) => make.ping(i % 253)));
  expect(new StreamParser().push(bytes)).toHaveLength(2000);
});

test("a fast sync read reply is split into one block for each servo", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          id: fc.nat(252),
          error: fc.constantFrom(0, ALERT),
          data: fc.uint8Array({ minLength: 4, maxLength: 4 }),
        }),
        { minLength: 1, maxLength: 9 },
      ),
      fc.array(fc.nat()),
      (blocks, places) => {
        const parser = new StreamParser();
        const [packet, ...more] = cut(encodeFastSyncStatus(blocks), places).flatMap((chunk) => parser.push(chunk));
        expect(more).toEqual([]);
        expect(packet?.kind === "status" && make.decodeFastSyncStatus(packet, 4)).toEqual(blocks);
      },
    ),
  );
});

test("each CRC of a fast sync read reply covers all bytes before it", () => {
  const bytes = encodeFastSyncStatus([
    { id: 3, error: 0, data: Uint8Array.from(le32(166)) },
    { id: 7, error: 0, data: Uint8Array.from(le32(2079)) },
  ]);
  expect(hex(bytes.subarray(0, 14))).toBe("fffffd00fe1100550003a6000000");
  expect((bytes[14] ?? 0) | ((bytes[15] ?? 0) << 8)).toBe(crc16(bytes, 0, 14));
  expect((bytes.at(-2) ?? 0) | ((bytes.at(-1) ?? 0) << 8)).toBe(crc16(bytes, 0, bytes.length - 2));
});
