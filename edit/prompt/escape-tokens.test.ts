import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdit } from "../apply/apply.ts";
import { CONVENTIONS, FORMATS } from "../formats/format.ts";
import { parseResponse } from "../formats/parse/parse-response.ts";
import { renderResponse } from "../formats/render/render-response.ts";
import { anyText } from "../testing/trials/arbitraries.ts";
import { CONTROL_TOKENS } from "../tokens.ts";
import { escapeTokens, restoreEdit } from "./escape-tokens.ts";
import { instructMessages } from "./instruct.ts";
import { renderPrompt } from "./render-prompt.ts";

const piece = fc.oneof(
  fc.constantFrom(
    ...CONTROL_TOKENS,
    "<|eot_id|>",
    "<|",
    "|>",
    "<",
    "|",
    ">",
    "<:im_end:>",
    "<!im_end!>",
    "<:eot_id",
    ":>",
    "\n",
  ),
  anyText,
);
/** A text with control tokens, with parts of them, and with what they are escaped to. */
const tokenText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

const countTokens = (text: string) => text.match(/<\|[\w-]+\|>/g)?.length ?? 0;
const runs = Number(process.env.FC_RUNS ?? 500);

test("an escaped text has no control token, the same length, and is restored exactly", () => {
  const property = fc.property(fc.array(tokenText, { minLength: 1, maxLength: 3 }), (texts) => {
    const tokens = escapeTokens(texts);
    for (const text of texts) {
      expect(countTokens(tokens.escape(text))).toBe(0);
      expect(tokens.escape(text)).toHaveLength(text.length);
      expect(tokens.restore(tokens.escape(text))).toBe(text);
    }
  });
  fc.assert(property, { numRuns: runs });
});

test("code with control tokens is edited exactly, in every format", async () => {
  let applied = 0;
  const options = fc.record({ format: fc.constantFrom(...FORMATS), convention: fc.constantFrom(...CONVENTIONS) });
  const property = fc.asyncProperty(tokenText, tokenText, options, async (before, after, { format, convention }) => {
    // What a model writes that was shown the escaped text, about a token that it was shown.
    const tokens = escapeTokens([before, after]);
    let text: string;
    try {
      text = renderResponse(tokens.escape(before), tokens.escape(after), { format, convention });
    } catch {
      return; // The format cannot express the change.
    }
    const parsed = parseResponse(text, { format, current: before });
    if (parsed.kind !== "edit") return;
    const edit = restoreEdit(parsed.edit, tokens.restore);
    const outcome = await applyEdit(before, { ...parsed, edit }, { convention });
    const escaped = await applyEdit(tokens.escape(before), parsed, { convention });
    expect(outcome.status).toBe(escaped.status);
    if (outcome.status !== "applied") return;
    applied += 1;
    expect(outcome.result).toBe(after);
  });
  await fc.assert(property, { numRuns: runs });
  expect(applied).toBeGreaterThan(runs / 10);
});

test("code, history and instruction bring no control token into a prompt", () => {
  const property = fc.property(tokenText, tokenText, tokenText, (older, code, user) => {
    const tokens = escapeTokens([older, code, user]);
    const item = (text: string) => ({ type: "code" as const, lang: "python", code: text });
    const plain = (text: string) => text.replace(/<\|[\w-]+\|>/g, "(token)");
    const prompts = (write: (text: string) => string) => {
      const sample = { history: [item(write(older))], current: item(write(code)), user: `x${write(user)}` };
      const turns = instructMessages(sample, "sr").map(({ content }) => content);
      return [renderPrompt(sample, { format: "wf" }), renderPrompt(sample, { format: "lc" }), ...turns].map(
        countTokens,
      );
    };
    expect(prompts(tokens.escape)).toEqual(prompts(plain));
  });
  fc.assert(property, { numRuns: runs });
});

test("the mark is one that no text has; without a free one the texts are refused", () => {
  expect(escapeTokens(["<|im_end|> <:im_end:> <:other:>"]).escape("<|im_end|>")).toBe("<!im_end!>");
  const { note, restore } = escapeTokens(["a <|im_end|> b"]);
  expect(note).toContain("<:im_end:>");
  expect(restore("<:im_end:> <:other:> <:im_end>")).toBe("<|im_end|> <:other:> <:im_end>");
  expect(escapeTokens(["plain <| im_end |>"]).note).toBe("");
  expect(escapeTokens(["<|im_end|>"]).escape("<|other|>")).toBe("<|other|>");
  const all = [...":!%=+#&^@$"].map((mark) => `<${mark}im_end${mark}>`).join(" ");
  expect(() => escapeTokens(["<|im_end|>", all])).toThrow(expect.objectContaining({ code: "control-token" }));
});
