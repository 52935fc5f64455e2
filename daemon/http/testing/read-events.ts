import { createParser } from "eventsource-parser";

export interface SeenEvent {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the daemon sent
  data: any;
}

export interface EventReader {
  seen: SeenEvent[];
  /** Settles with the first event, seen already or to come, that fits; rejects after ten seconds. */
  until(fits: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  close(): void;
}

/** Reads a stream of server-sent events as a browser would; settles when the stream is open. */
export async function readEvents(url: string): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  const seen: SeenEvent[] = [];
  let wake = (): void => {};
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      seen.push({ name: event, data: JSON.parse(data) });
      wake();
    },
  });
  const pump = async (): Promise<void> => {
    const text = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(text.decode(chunk, { stream: true }));
  };
  pump().catch((error) => {
    if (!abort.signal.aborted) throw error;
  });
  return {
    seen,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`no such event in ten seconds; seen: ${JSON.stringify(seen)}`)),
          10_000,
        );
        wake = () => {
          const found = seen.find(fits);
          if (!found) return;
          clearTimeout(late);
          wake = () => {};
          resolve(found);
        };
        wake();
      }),
    close: () => abort.abort(),
  };
}
