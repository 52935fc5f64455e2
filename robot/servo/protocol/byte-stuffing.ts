/** True when the three bytes that end before `end` are FF FF FD, the start of a header. */
function endsInHeader(bytes: Uint8Array, end: number): boolean {
  return end >= 3 && bytes[end - 1] === 0xfd && bytes[end - 2] === 0xff && bytes[end - 3] === 0xff;
}

/**
 * Stuffs a frame's body (instruction and parameters) for the wire: adds an FD after each FF FF FD, so that no body
 * looks like the start of a frame. Returns `body` itself when there is nothing to stuff.
 */
export function stuff(body: Uint8Array): Uint8Array {
  let extra = 0;
  for (let end = 3; end <= body.length; end++) if (endsInHeader(body, end)) extra++;
  if (extra === 0) return body;
  const stuffed = new Uint8Array(body.length + extra);
  let length = 0;
  for (const byte of body) {
    stuffed[length++] = byte;
    if (endsInHeader(stuffed, length)) stuffed[length++] = 0xfd;
  }
  return stuffed;
}

/** The inverse of `stuff`. Always returns a copy. */
export function unstuff(stuffed: Uint8Array): Uint8Array {
  const body = new Uint8Array(stuffed.length);
  let length = 0;
  for (let i = 0; i < stuffed.length; i++) {
    body[length++] = stuffed[i] ?? 0;
    if (endsInHeader(body, length) && stuffed[i + 1] === 0xfd) i++;
  }
  return length === stuffed.length ? body : body.slice(0, length);
}
