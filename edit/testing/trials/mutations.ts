import type { Block } from "./expected-text.ts";

/** Mistakes of models in a valid list of edits. @param pick the edit to change @param by the number of lines */
export const MUTATIONS: Readonly<Record<string, (list: Block[], pick: number, by: number) => Block[]>> = {
  none: (list) => list,
  duplicate: (list, pick) => [...list, list[pick % list.length] as Block],
  reorder: (list) => [...list].reverse(),
  overlap: (list, pick, by) => change(list, pick, ({ end }) => ({ end: end + Math.abs(by) })),
  shift: (list, pick, by) => change(list, pick, ({ start, end }) => ({ start: start + by, end: end + by })),
  reverse: (list, pick) => change(list, pick, ({ start, end }) => ({ start: end, end: start })),
  "re-indent": (list, pick) => change(list, pick, ({ lines }) => ({ lines: lines.map((line) => `    ${line}`) })),
};

function change(list: Block[], pick: number, edit: (block: Block) => Partial<Block>): Block[] {
  return list.map((block, at) => (at === pick % list.length ? { ...block, ...edit(block) } : block));
}
