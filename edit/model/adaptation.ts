import { canBeAboutRequest } from "./complaint.ts";
import type { ServerError } from "./server-error.ts";

type Body = Readonly<Record<string, unknown>>;
interface Turn {
  role: string;
  content: string;
}

/** Fields without which there is no request. */
const NEEDED = new Set(["model", "messages", "prompt", "max_tokens", "max_completion_tokens"]);
const UNSUPPORTED =
  /unsupported|not (?:supported|allowed|permitted|accepted|implemented)|unknown|unrecogni[sz]ed|unexpected|extra|invalid (?:param|arg|field)|deprecated/i;
const ROLES = /\bsystem\b|\broles?\b|alternat/i;

/** What a model does not take, learned from its refusals. */
export class Adaptation {
  readonly #without = new Set<string>();
  #countsCompletion = false;
  #hasSystemRole = true;

  /** The request as this model takes it. */
  adapt(body: Body): Body {
    const kept = Object.entries(body).filter(([name]) => !this.#without.has(name));
    const { max_tokens, messages, ...rest } = Object.fromEntries(kept);
    return {
      ...rest,
      ...(messages === undefined
        ? {}
        : { messages: this.#hasSystemRole ? messages : withoutSystem(messages as Turn[]) }),
      ...(max_tokens === undefined
        ? {}
        : { [this.#countsCompletion ? "max_completion_tokens" : "max_tokens"]: max_tokens }),
    };
  }

  /**
   * Learns one thing from the refusal of a request.
   * @param body the request as it was sent
   * @returns whether the next one differs
   */
  learn({ status, complaint: { words }, isContextOverflow }: ServerError, body: Body): boolean {
    if (status !== undefined && !canBeAboutRequest(status)) return false;
    const isNamed = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "i").test(words);
    const field = Object.keys(body).find((name) => !NEEDED.has(name) && (isNamed(name) || isOtherName(name, words)));
    if (field !== undefined) {
      this.#without.add(field);
      return true;
    }
    if (isContextOverflow) return false;
    if (
      "max_tokens" in body &&
      (isNamed("max_completion_tokens") || (isNamed("max_tokens") && UNSUPPORTED.test(words)))
    ) {
      this.#countsCompletion = true;
      return true;
    }
    const turns = (body.messages ?? []) as readonly Turn[];
    if (!turns.some(({ role }) => role === "system") || !ROLES.test(words)) return false;
    this.#hasSystemRole = false;
    return true;
  }
}

const isOtherName = (field: string, words: string): boolean => field === "stream" && /\bstreaming\b/i.test(words);

/** The turns with the system's text before the user's first. */
function withoutSystem(turns: readonly Turn[]): Turn[] {
  const system = turns.filter(({ role }) => role === "system").map(({ content }) => content);
  const others = turns.filter(({ role }) => role !== "system");
  const first = others.findIndex(({ role }) => role === "user");
  return others.map((turn, index) =>
    index === first ? { ...turn, content: [...system, turn.content].join("\n\n") } : turn,
  );
}
