import type { SlipKind } from "../real-slip.ts";

const TAGS: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<reasoning>", "</reasoning>"],
  ["<thought>", "</thought>"],
  ["<scratchpad>", "</scratchpad>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
];
const DOUBTS = ["Wait, that misses a case.", "Actually:", "Corrected version:", "Second try:", "Hmm.", "or", "2."];
const STOP = { reason: "stop" } as const;

const fenceOf = (answer: string) => answer.replace(/<\|next_(?:start|end)\|>/g, "");

/** Drafts: what a model has written before, or after, it knows what it means. */
export const DRAFTS: SlipKind = {
  harmless: {
    "a draft in reasoning": ({ random, answer, draft }) => {
      const [open, close] = random.pick(TAGS);
      const said = random.pick([draft, fenceOf(draft), draft.replace("<|next_end|>", ""), "The answer is easy."]);
      return { ...STOP, text: `${open}\nLet me try:\n${said}\nNo.\n${close}\n\n${answer}` };
    },
    "reasoning whose begin is in the prompt": ({ random, answer, draft }) => ({
      ...STOP,
      text: `I try ${random.pick([draft, "it"])}.\n${random.pick(TAGS)[1]}\n${random.pick(["", "Here:\n"])}${answer}`,
    }),
    "two rounds of reasoning": ({ random, answer, draft }) => {
      const [open, close] = random.pick(TAGS);
      return { ...STOP, text: `${open}one${close}\n${open}${draft}${close}\n${answer}` };
    },
    "a sentence before it": ({ random, answer }) => ({
      ...STOP,
      text: `${random.pick(["Sure!", "I change one line.", "# Plan\n1. Change it.", "```sh\nnpm test\n```"])}\n${answer}`,
    }),
    "the same answer twice": ({ random, answer }) => ({
      ...STOP,
      text: `${answer}\n${random.pick(["", "Again:", "Final answer:"])}\n${answer}`,
    }),
    "another version right after": ({ answer, draft, format }) =>
      format === "wf" ? { ...STOP, text: `${draft}\n\n${answer}` } : undefined,
    "a tag for answers": ({ random, answer }) => {
      const name = random.pick(["answer", "final_answer", "output", "solution"]);
      return { ...STOP, text: `<${name}>\n${answer}\n</${name}>` };
    },
    "an explanation that quotes the file": ({ answer, after, lang, random }) => {
      const lines = after.split("\n");
      const at = random.below(lines.length);
      const quoted = lines.slice(at, at + 3);
      if (quoted.some((line) => line.includes("```"))) return undefined;
      return {
        ...STOP,
        text: `${answer}\nNow:\n\`\`\`${lang}\n${quoted.join("\n")}\n\`\`\`\nRun it:\n\`\`\`sh\nls\n\`\`\``,
      };
    },
  },
  harmful: {
    "a draft, a doubt and the answer": ({ random, answer, draft }) => ({
      ...STOP,
      text: `Let me try.\n${draft}\n${random.pick(DOUBTS)}\n${answer}`,
    }),
    "a draft without an end and the answer": ({ random, answer, draft }) => ({
      ...STOP,
      text: `${draft.replace("<|next_end|>", "")}\n${random.pick(DOUBTS)}\n${answer}`,
    }),
    "a draft that a fenced block corrects": ({ random, answer, draft }) => ({
      ...STOP,
      text: `${draft}\n${random.pick(DOUBTS)}\n${fenceOf(answer)}`,
    }),
    "a draft in reasoning that does not end": ({ random, draft }) => ({
      ...(random.oneIn(2) ? STOP : {}),
      text: `${random.pick(TAGS)[0]}\nLet me try:\n${draft}\nNo, `,
    }),
    "a draft in an unknown tag": ({ random, draft }) => {
      const name = random.pick(["idea", "attempt", "attempt_1", "step", "x"]);
      return { ...STOP, text: `<${name}>\n${draft}\n</${name}>\n` };
    },
    "a draft in reasoning, and no answer": ({ random, draft }) => {
      const [open, close] = random.pick(TAGS);
      return { ...STOP, text: `${open}\n${draft}\n${close}\n${random.pick(["", "It is done."])}` };
    },
    "cut by its length": ({ random, draft }) => ({
      reason: random.pick(["length", "max_tokens", "MAX_TOKENS"]),
      text: draft.slice(0, random.oneIn(3) ? draft.length : random.below(draft.length)),
    }),
    "ended by the server": ({ random, draft }) => ({
      reason: random.pick(["content_filter", "abort", "error", "insufficient_system_resource"]),
      text: draft,
    }),
  },
};
