import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askPython } from "../../common/testing/ask-python.ts";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import type { ChatMessage } from "../sample.ts";
import { anyText } from "../testing/trials/arbitraries.ts";
import { CONTROL_TOKENS } from "../tokens.ts";
import { applyChatTemplate, TEMPLATES } from "./template.ts";
import { loadControlTokens, loadTemplates } from "./tokenizer-folder.ts";

const SCRIPT = fileURLToPath(new URL("../testing/python/render_templates.py", import.meta.url));

/** A template with its tags on lines of their own, as tokenizer folders often have it. */
const SPREAD = `{% for message in messages %}
    {% if loop.first and message['role'] != 'system' %}
<|im_start|>system
Helper.<|im_end|>
    {% endif %}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>{{ '\\n' if not loop.last }}
{% endfor %}
{%- if add_generation_prompt %}
<|im_start|>assistant
{% endif %}
`;

const conversation: fc.Arbitrary<ChatMessage[]> = fc.array(
  fc.record({ role: fc.constantFrom("system", "history", "current", "user", "assistant"), content: anyText }),
  { minLength: 1, maxLength: 5 },
);

test("templates render as Python's jinja2 renders them, byte for byte", async () => {
  const all = [...Object.values(TEMPLATES), SPREAD];
  const jobs = fc
    .sample(fc.tuple(conversation, fc.constantFrom(...all), fc.boolean()), {
      numRuns: PROPERTY_RUNS,
      seed: fc.readConfigureGlobal()?.seed ?? 1,
    })
    .map(([messages, template, prompt]) => ({ messages, template, add_generation_prompt: prompt }));
  const answers = await askPython<string>(SCRIPT, jobs);
  jobs.forEach(({ messages, template, add_generation_prompt: addGenerationPrompt }, at) => {
    expect(applyChatTemplate(messages, { chatTemplate: template, addGenerationPrompt })).toBe(answers[at]);
  });
});

test("a system turn is added at the start unless there is one", () => {
  const hi: ChatMessage = { role: "user", content: "Hi!" };
  const turn = "<|im_start|>user\nHi!<|im_end|>";
  const system = "<|im_start|>system\nYou are a helpful programming assistant.<|im_end|>\n";
  expect(applyChatTemplate([hi])).toBe(system + turn);
  expect(applyChatTemplate([hi], { addGenerationPrompt: true })).toBe(`${system}${turn}\n<|im_start|>assistant\n`);
  expect(applyChatTemplate([{ role: "system", content: "S" }, hi])).toBe(`<|im_start|>system\nS<|im_end|>\n${turn}`);
});

test("text with a control token is refused", () => {
  for (const token of ["<|im_start|>", "<|im_end|>", "<|next_start|>", "<|target|>", "<|endoftext|>"]) {
    expect(() => applyChatTemplate([{ role: "user", content: `a\n${token}` }])).toThrow(
      /messages\[0\].content \(user\), line 2/,
    );
  }
  expect(() => applyChatTemplate([])).toThrow(/at least one message/);
  for (const chatTemplate of ["nope", "constructor"]) {
    expect(() => applyChatTemplate([{ role: "user", content: "x" }], { chatTemplate })).toThrow(/Known: default/);
  }
});

test("named templates are read from a tokenizer's folder", async () => {
  const folder = temporaryFolder("tokenizer-");
  await expect(loadTemplates(folder)).rejects.toThrow(/holds no chat template/);
  const config = {
    chat_template: [
      { name: "default", template: "A" },
      { name: "short", template: "B{{ messages[0].content }}" },
    ],
    added_tokens_decoder: { 7: { content: "<s>", special: true }, 8: { content: "  " } },
  };
  await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify(config));
  await mkdir(join(folder, "additional_chat_templates"));
  await writeFile(join(folder, "additional_chat_templates", "extra.jinja"), "C");
  await writeFile(join(folder, "chat_template.jinja"), "D");
  const templates = await loadTemplates(folder);
  expect(await loadControlTokens(folder)).toEqual([...CONTROL_TOKENS, "<s>"]);
  expect(templates).toEqual({ default: "D", short: "B{{ messages[0].content }}", extra: "C" });
  expect(applyChatTemplate([{ role: "user", content: "!" }], { chatTemplate: "short", templates })).toBe("B!");
  await writeFile(join(folder, "tokenizer_config.json"), "{");
  await expect(loadTemplates(folder)).rejects.toThrow(/is not a tokenizer configuration/);
});

test("tokens need a tokenizer, and no option is ignored", () => {
  const hello = [{ role: "user" as const, content: "Hi" }];
  const text = applyChatTemplate(hello, { addGenerationPrompt: true });
  const calls: unknown[] = [];
  const tokenizer = (given: string, options: object) => {
    calls.push(options);
    return { input_ids: [given.length], attention_mask: [1] };
  };
  const tokens = { addGenerationPrompt: true, tokenize: true, tokenizer };
  expect(applyChatTemplate(hello, tokens)).toEqual([text.length]);
  expect(applyChatTemplate(hello, { ...tokens, returnDict: true, returnTensors: true })).toMatchObject({
    attention_mask: [1],
  });
  expect(calls).toEqual([
    { add_special_tokens: false, return_tensor: false },
    { add_special_tokens: false, return_tensor: true },
  ]);
  expect(() => applyChatTemplate(hello, { tokenize: true })).toThrow(/needs the option tokenizer/);
  expect(() => applyChatTemplate(hello, { returnTensors: true })).toThrow(/about tokens/);
});
