/** A body has more bytes than its reader takes. */
export class BodyTooLargeError extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`more than ${formatBytes(maxBytes)}`);
    this.name = "BodyTooLargeError";
    this.maxBytes = maxBytes;
  }
}

/** For example `4 MB` or `10 bytes`. */
const formatBytes = (bytes: number): string => (bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${bytes} bytes`);

/**
 * The pieces of a body as they come, decompressed. Nothing that is over the limit is kept or read: leaving the loop closes
 * the connection.
 *
 * @throws BodyTooLargeError after `maxBytes` bytes; what the signal of the request was aborted with
 */
export async function* boundedChunks(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLargeError(maxBytes);
    yield chunk;
  }
}

/** An answer whose body rejects with a BodyTooLargeError after `maxBytes` decompressed bytes, for whoever reads it. */
export function boundedResponse(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The body is decompressed, and need not have this length.
  headers.delete("content-encoding");
  headers.delete("content-length");
  const chunks = boundedChunks(response, maxBytes);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
  const bounded = new Response(body, { status, statusText, headers });
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}
