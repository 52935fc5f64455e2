import { Refused } from "../../refusal.ts";
import { TOKEN } from "../../tokens.ts";
import { type EndOfAnswer, refuseCut, TRUNCATED } from "./end-of-answer.ts";
import { endOfReasoning, leadingReasoning, refuseOpenReasoning } from "./reasoning.ts";
import { answerTurn, refuseStrayTokens } from "./turns.ts";

/** An answer without its reasoning. */
interface AnswerDocument {
  /** The texts of its complete edits, in order; at least one. */
  edits: [string, ...string[]];
  /** Whether there is text between two edits. */
  isInterrupted: boolean;
  /** What follows the last edit. */
  explanation: string;
}

/** Longer answers, in characters, are refused unread: a server that never stops must not cost time. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** The order of turns in an assistant-conversation prompt (spec 3), the answer last. */
const EDIT_TURNS = /^(system )?(history )*current (user )?assistant$/;
const EDIT_TOKEN = /<\|next_(?:start|end)\|>/g;

/** An edit in a text: its content `[from, to)`, and with its tokens `[start, stop)`. */
interface Envelope {
  start: number;
  from: number;
  to: number;
  stop: number;
}

/**
 * Reads an answer as a document: a completion that starts inside the edit, one that has `<|next_start|>` after some text, or a
 * whole decoded output of prompt and answer. Reasoning, with the drafts in it, is left out.
 * @throws Refused `too-long`, `truncated`, `stray-token`, `malformed`, `ambiguous`
 */
export function readAnswer(text: string, end: EndOfAnswer): AnswerDocument {
  if (text.length > MAX_LENGTH)
    throw new Refused("too-long", `The answer has ${text.length} characters.`, `At most ${MAX_LENGTH} are read.`);
  refuseCut(end);
  const turn = answerTurn(text, EDIT_TURNS);
  const { envelopes, openings } = findEnvelopes(turn, end.finished ?? false);
  const [from, kept] = withoutReasoning(turn, envelopes);
  const [first, ...more] = kept;
  if (first === undefined) {
    refuseOpenReasoning(turn.slice(from));
    throw new Refused("truncated", `The answer has no ${TOKEN.editEnd}, so the edit may be incomplete.`, TRUNCATED);
  }
  const last = more.at(-1) ?? first;
  if (openings.some((at) => at >= from))
    throw new Refused("stray-token", `${TOKEN.editStart} begins an edit that does not end.`, ASK_AGAIN);
  const prose = gaps(turn, from, kept);
  refuseOpenReasoning(prose.slice(0, -1).join("\n"));
  for (const gap of prose.slice(1)) refuseStrayTokens(gap, [TOKEN.turnEnd, TOKEN.endOfText]);
  refuseTagAround(prose[0] ?? "", prose.at(-1) ?? "");
  const edits = kept.map((each) =>
    turn
      .slice(each.from, each.to)
      .replace(/^\s*\n/, "")
      .trimEnd(),
  );
  for (const edit of edits) refuseOpenReasoning(edit.split("\n", 1)[0] ?? "");
  const rest = turn.slice(last.stop);
  const turnEnd = rest.indexOf(TOKEN.turnEnd);
  return {
    edits: edits as [string, ...string[]],
    isInterrupted: prose.slice(1, -1).some((gap) => gap.trim() !== ""),
    explanation: (turnEnd < 0 ? rest : rest.slice(0, turnEnd)).trim(),
  };
}

const ASK_AGAIN = "Ask again for one complete answer.";

/** The complete edits of a text, and the places of `<|next_start|>` that begin none. */
function findEnvelopes(turn: string, finished: boolean): { envelopes: Envelope[]; openings: number[] } {
  const envelopes: Envelope[] = [];
  const openings: number[] = [];
  const tokens = [...turn.matchAll(EDIT_TOKEN)];
  let open: Pick<Envelope, "start" | "from"> | undefined;
  if (tokens[0]?.[0] !== TOKEN.editStart) open = { start: 0, from: leadingReasoning(turn) };
  const isImplied = open !== undefined;
  for (const { index, 0: token } of tokens) {
    if (token === TOKEN.editStart) {
      if (open !== undefined) openings.push(open.start);
      open = { start: index, from: index + token.length };
    } else if (open === undefined) {
      throw new Refused("stray-token", `${token} ends an edit that does not begin.`, ASK_AGAIN);
    } else {
      envelopes.push({ ...open, to: index, stop: index + token.length });
      open = undefined;
    }
  }
  if (open !== undefined && finished) envelopes.push({ ...open, to: turn.length, stop: turn.length });
  else if (open !== undefined && !(isImplied && tokens.length === 0)) openings.push(open.start);
  return { envelopes, openings };
}

/** Where the answer begins after its reasoning, and the edits from there on. */
function withoutReasoning(turn: string, envelopes: readonly Envelope[]): [number, Envelope[]] {
  let end = 0;
  let at = 0;
  for (const { start, stop } of [...envelopes, { start: turn.length, stop: turn.length }]) {
    const length = endOfReasoning(turn.slice(at, start));
    if (length > 0) end = at + length;
    at = stop;
  }
  return [end, envelopes.filter(({ start }) => start >= end)];
}

/** The text before, between and after edits. */
function gaps(turn: string, from: number, envelopes: readonly Envelope[]): string[] {
  const ends = [from, ...envelopes.map(({ stop }) => stop)];
  const starts = [...envelopes.map(({ start }) => start), turn.length];
  return ends.map((end, index) => turn.slice(end, starts[index]));
}

const OPENED = /(?:^|\n)[ \t]*<([A-Za-z][\w:.-]*)(?:\s[^<>\n]*)?>/g;
/** The tags in which a model puts its answer. */
const OF_ANSWER = /^(?:\w+:)?(?:final_?)?(?:answer|output|response|final|result|edits?|solution|changes?|code)$/i;

/** Refuses an edit inside of a tag that is not known to be around answers: it may be around a draft. */
function refuseTagAround(before: string, after: string): void {
  for (const [, name = ""] of before.matchAll(OPENED)) {
    if (before.includes(`</${name}>`) || !after.includes(`</${name}>`) || OF_ANSWER.test(name)) continue;
    throw new Refused("ambiguous", `The edit is inside of <${name}>, which may be a draft.`, ASK_AGAIN);
  }
}
