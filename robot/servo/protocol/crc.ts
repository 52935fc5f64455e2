const POLYNOMIAL = 0x8005;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc;
});

/**
 * CRC-16 of protocol 2.0: polynomial 0x8005, most significant bit first, no final inversion. It runs over a frame from
 * its header up to, not including, the two CRC bytes; stuffing included.
 *
 * @param start first byte, default 0
 * @param end one past the last byte, default the length
 * @param crc what the bytes before gave, default 0
 */
export function crc16(bytes: Uint8Array, start = 0, end = bytes.length, crc = 0): number {
  let sum = crc;
  for (let i = start; i < end; i++) {
    sum = ((sum << 8) ^ (TABLE[((sum >> 8) ^ (bytes[i] ?? 0)) & 0xff] ?? 0)) & 0xffff;
  }
  return sum;
}
