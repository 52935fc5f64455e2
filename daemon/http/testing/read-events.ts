import { createParser } from "eventsource-parser";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";

interface ReceivedEvent {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the daemon sent
  data: any;
}

interface EventReader {
  received: ReceivedEvent[];
  /** Resolves with the first matching event, received already or later; rejects after ten seconds. */
  first(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  close(): void;
}

/** Reads a stream of server-sent events; resolves when the stream is open. */
export async function readEvents(url: string): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  const received: ReceivedEvent[] = [];
  let onEvent = (): void => {};
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      received.push({ name: event, data: JSON.parse(data) });
      onEvent();
    },
  });
  const parseBody = async (): Promise<void> => {
    const text = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(text.decode(chunk, { stream: true }));
  };
  parseBody().catch((error) => {
    if (!abort.signal.aborted) throw error;
  });
  return {
    received,
    first: (matches) =>
      new Promise((resolve, reject) => {
        const timeout = setTimeout(
          () =>
            reject(
              new Error(
                `no such event in ${DEADLINE_MS / 1000} s; the last ones: ${JSON.stringify(received.slice(-5)).slice(0, 2000)}`,
              ),
            ),
          DEADLINE_MS,
        );
        onEvent = () => {
          const found = received.find(matches);
          if (!found) return;
          clearTimeout(timeout);
          onEvent = () => {};
          resolve(found);
        };
        onEvent();
      }),
    close: () => abort.abort(),
  };
}
