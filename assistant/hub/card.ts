import { parse } from "yaml";

/** The YAML head of a `README.md` (https://huggingface.co/docs/hub/spaces-config-reference). */
export type Card = Readonly<Record<string, unknown>>;

/** The head of a README; empty when there is none or it does not parse. */
export function cardOf(readme: string): Card {
  const [, head] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\s*(\r?\n|$)/.exec(readme) ?? [];
  if (head === undefined) return {};
  try {
    const card: unknown = parse(head);
    return typeof card === "object" && card !== null && !Array.isArray(card) ? (card as Card) : {};
  } catch {
    return {};
  }
}

/** The tags that a card gives, strings only. */
export function tagsOf(card: Card): string[] {
  return Array.isArray(card.tags) ? card.tags.filter((tag) => typeof tag === "string") : [];
}
