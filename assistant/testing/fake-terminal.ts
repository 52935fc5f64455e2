import type { Terminal } from "../terminal.ts";

/** A terminal for tests that records its output. */
export interface FakeTerminal extends Terminal {
  written: { out: string; err: string; code: number; questions: string[] };
}

/** A terminal whose input is a text and whose person answers every question with `answer`. */
export function fakeTerminal(
  options: Partial<Terminal> & { input?: string | Uint8Array; answer?: boolean } = {},
): FakeTerminal {
  const { input = "", answer = false, ...rest } = options;
  const written: FakeTerminal["written"] = { out: "", err: "", code: 0, questions: [] };
  return {
    stdin: (async function* () {
      yield Buffer.from(input as string);
    })(),
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    setExitCode: (code) => {
      written.code = code;
    },
    env: {},
    cwd: ".",
    signal: new AbortController().signal,
    onTerminate: () => () => {},
    liveProgress: false,
    colour: false,
    packageFolder: ".",
    interactive: false,
    ask: async () => undefined,
    choose: async () => undefined,
    keys: () => () => {},
    confirm: async (question) => {
      written.questions.push(question);
      return answer;
    },
    now: () => new Date(0),
    ...rest,
    written,
  };
}
