/** A body has more bytes than its reader takes. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`more than ${formatBytes(maxBytes)}`);
    this.name = "BodyTooLargeError";
  }
}

/** For example `4 MB` or `10 bytes`. */
const formatBytes = (bytes: number): string => (bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${bytes} bytes`);

/**
 * An answer whose body rejects with a BodyTooLargeError after `maxBytes` decompressed bytes, for whoever reads it. Nothing that
 * is over the limit is kept or read; a reader that leaves closes the connection.
 */
export function boundedResponse(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The body is decompressed, and need not have this length.
  headers.delete("content-encoding");
  headers.delete("content-length");
  let bytes = 0;
  // A transform, because a reader that leaves cancels it at once, also while a server sends nothing.
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new BodyTooLargeError(maxBytes);
      controller.enqueue(chunk);
    },
  });
  const body = response.body.pipeThrough(limit);
  const bounded = new Response(body, { status, statusText, headers });
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}
