import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as library from "./index.ts";

const { signal } = new AbortController();
const sample = { history: [], current: { type: "code", lang: "python", code: "x = 1" }, user: "Two." };
const url = "http://127.0.0.1:1";
const client = { model: "m", complete: async () => ({ text: "", finished: true }) };
const request = { messages: [], prompt: "p", explain: true, maxTokens: 10 };
const edit = { ...{ sample, original: "x = 1", format: "sr", convention: "inclusive" }, client, explain: true };

type Call = (...args: unknown[]) => unknown;
/** A call of each function of the library with arguments that it takes, and the place of its options. */
const CALLS: Readonly<Record<string, [args: unknown[], options?: number]>> = {
  applyEdit: [["x", "```\ny\n```<|next_end|>", { format: "wf" }], 2],
  resolveEdit: [["x\n", { format: "wf", lang: "", ticks: 3, lines: ["y"] }, {}], 2],
  spliceText: [["x", [{ start: 0, stop: 1, text: "y" }]]],
  parseResponse: [["```\ny\n```<|next_end|>", { format: "wf" }], 1],
  renderResponse: [["x\n", "y\n", { format: "wf" }], 2],
  chatReply: [["Hi.<|im_end|>"]],
  hashText: [["Hi."]],
  instructFormat: [["x", "sr"]],
  instructMessages: [[sample, "sr"]],
  prepareInput: [[sample, "wf", {}], 2],
  prepareInputForWf: [[sample, {}], 1],
  prepareInputForLc: [[sample, {}], 1],
  prepareInputForSr: [[sample, {}], 1],
  parseSample: [[sample]],
  renderPrompt: [[sample, { format: "wf" }], 1],
  applyChatTemplate: [[[{ role: "user", content: "Hi." }], {}], 1],
  refusalText: [[{ code: "truncated", reason: "a", hint: "b" }]],
  textForModel: [["x"]],
  serverClient: [[{ serverUrl: url, model: "m" }], 0],
  identifyServer: [[{ serverUrl: url, retries: 0 }, signal], 0],
  requestEdit: [[{ ...edit, maxTokens: 10, retries: 0 }], 0],
  loadLocalModel: [[{ folder: "nowhere", cwd: "." }], 0],
  loadTemplates: [["nowhere"]],
  loadControlTokens: [["nowhere"]],
  readSource: [["nowhere"]],
  writeSource: [[{ path: "nowhere", text: "", hash: "1" }, "x"]],
};
const functions = Object.entries(library).flatMap(([name, value]) =>
  typeof value === "function" && !/^[A-Z]/.test(name) ? [name] : [],
);
/** What a call gives or throws. */
const outcome = async (name: string, args: unknown[]): Promise<unknown> => {
  try {
    return await (library as unknown as Record<string, Call>)[name]?.(...args);
  } catch (error) {
    return error;
  }
};
const refused = (words: string) =>
  expect.objectContaining({ code: "bad-request", message: expect.stringContaining(words) });

test("the table has every function of the library", () => {
  expect(Object.keys(CALLS).sort()).toEqual(functions.sort());
});

describe.each(Object.entries(CALLS))("%s", (name, [args, at]) => {
  test("takes its own arguments", async () => {
    const got = await outcome(name, args);
    expect(got).not.toEqual(
      expect.objectContaining({ code: "bad-request", message: expect.stringContaining(`of ${name}`) }),
    );
  });

  test.runIf(at !== undefined)("names an option that it does not have", async () => {
    const options = { ...(args[at ?? 0] as object), formt: "wf" };
    expect(await outcome(name, args.with(at ?? 0, options))).toEqual(refused('"formt"'));
  });

  test("refuses arguments of other types with the library's own error", async () => {
    const values = fc.constantFrom<unknown>(undefined, null, 7, Number.NaN, true, [], {}, [[]], () => {}, Symbol("x"));
    await fc.assert(
      fc.asyncProperty(fc.nat(args.length - 1), values, async (place, value) => {
        const got = await outcome(name, args.with(place, value));
        if (got instanceof Error)
          expect(got).toBeInstanceOf(got instanceof library.Refused ? library.Refused : library.WorkbenchError);
      }),
      { numRuns: 40 },
    );
  });
});

test.each([
  [
    "applyEdit",
    ["x", "y", { format: "lc", convention: "Slice" }],
    'options of applyEdit.convention is "Slice"; it must be one of "inclusive", "slice".',
  ],
  ["applyEdit", ["x", "y", { format: "LC" }], 'format is "LC"; it must be one of "wf", "lc", "sr".'],
  ["applyEdit", ["x", "y", { format: "sr", syntax: "ignore" }], 'it must be one of "refuse", "warn".'],
  ["applyEdit", ["x", "y", { format: "sr", finished: "yes" }], "it must be true or false"],
  ["applyEdit", ["x", "y", { format: "sr", converntion: "slice" }], "did you mean convention?"],
  ["renderPrompt", [sample, { format: "diff" }], 'it must be one of "wf", "lc", "sr".'],
  ["prepareInput", [sample, "diff"], 'format of prepareInput is "diff"'],
  ["instructMessages", [sample, "lc"], 'it must be one of "wf", "sr".'],
  ["serverClient", [{ serverUrl: url, model: "m", api: "generate" }], 'it must be one of "completions", "chat".'],
  [
    "serverClient",
    [{ serverUrl: url, model: "m", profile: "ollama" }],
    'it must be one of "vllm", "sglang", "openai".',
  ],
  ["serverClient", [{ serverUrl: url, model: "m", timeoutMs: 0 }], "it must be at least 1"],
  ["loadLocalModel", [{ folder: "x", cwd: ".", dType: "q4" }], "did you mean dtype?"],
  ["requestEdit", [{ ...edit, maxTokens: "many", retries: 0 }], "request of requestEdit.maxTokens"],
  ["chatReply", ["Hi.", {}], "chatReply takes text; it got 2 arguments."],
])("%s names what is wrong and what is allowed: %#", async (name, args, words) => {
  expect(await outcome(name, args)).toEqual(refused(words));
});

test("requests to a client and pieces of a stream are checked, too", async () => {
  const made = library.serverClient({ serverUrl: url, model: "m" });
  await expect(made.complete({ ...request, maxTokens: undefined as never })).rejects.toEqual(
    refused("maxTokens is missing"),
  );
  await expect(made.complete({ ...request, max_tokens: 7 } as never)).rejects.toEqual(
    refused("did you mean maxTokens?"),
  );
  expect(() => new library.ResponseStream({ format: "LC" as never })).toThrow(/one of "wf", "lc", "sr"/);
  const stream = new library.ResponseStream({ format: "wf" });
  expect(() => stream.push(Buffer.from("x") as never)).toThrow(/chunk of push/);
  expect(stream.push("x")).toEqual([{ part: "edit", text: "x" }]);
});

test("the classes of errors are exported", async () => {
  expect(() => library.chatReply("<|im_start|>")).toThrow(library.Refused);
  await expect(library.applyEdit("x", "y")).rejects.toBeInstanceOf(library.WorkbenchError);
  expect(library.ServerError.prototype).toBeInstanceOf(library.WorkbenchError);
});
