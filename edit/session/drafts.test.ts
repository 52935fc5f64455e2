import { expect, test } from "vitest";
import { applyEdit } from "../apply/apply.ts";
import type { Completion, ModelClient } from "../model/types.ts";
import { withDrafts } from "./drafts.ts";

const BASE = "a = 1\nb = 1\nc = 1\n";
const block = (search: string, replace: string) =>
  `\`\`\`python\n${search}\n<|search_and_replace|>\n${replace}\n\`\`\``;
const ANSWER = `${block("a = 1", "a = 2")}\n${block("c = 1", "c = 2")}<|next_end|>`;

/** A client whose answer comes in these pieces. */
const clientOf = (pieces: readonly string[]): ModelClient => ({
  model: "test",
  async complete(_request, { onText } = {}) {
    for (const piece of pieces) {
      onText?.(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { text: pieces.join(""), finished: true };
  },
});
const judge = ({ text, finished }: Completion) =>
  applyEdit(BASE, text, { format: "sr", lang: "python", finished, syntax: "warn" });
const REQUEST = { messages: [], prompt: "", explain: false, maxTokens: 1 };

test.each([1, 3, 7, 200])(
  "each block of an answer adds its change to the text, in pieces of %i characters",
  async (size) => {
    const drafts: string[] = [];
    const pieces = ANSWER.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const client = withDrafts(clientOf(pieces), judge, (draft) => drafts.push(draft));
    expect((await client.complete(REQUEST)).text).toBe(ANSWER);
    // An answer in one piece is there when it is a draft.
    const wanted = ["a = 2\nb = 1\nc = 1\n", "a = 2\nb = 1\nc = 2\n"];
    if (size < 200) expect(drafts[0]).toBe(wanted[0]);
    for (const draft of drafts) expect(wanted).toContain(draft);
  },
);

test("blocks that cannot be applied so far are no draft", async () => {
  const drafts: string[] = [];
  const client = withDrafts(clientOf([block("z = 1", "z = 2")]), judge, (draft) => drafts.push(draft));
  await client.complete(REQUEST);
  expect(drafts).toEqual([]);
});

test("an answer of many blocks is judged a few times, each time when it has grown", async () => {
  let [judged, characters] = [0, 0];
  const pieces = Array.from({ length: 400 }, (_, at) => `${block(`a = ${at}`, `a = ${at + 1}`)}\n`);
  const client = withDrafts(
    clientOf(pieces),
    async (answer) => {
      judged += 1;
      characters += answer.text.length;
      return { status: "no-change", explanation: "" };
    },
    () => {},
  );
  await client.complete(REQUEST);
  expect(judged).toBeGreaterThan(5);
  expect(characters).toBeLessThan(10 * pieces.join("").length);
});
