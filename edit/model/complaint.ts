/** Why a server refuses a request, or breaks its answer off. */
export interface Complaint {
  /** For people, at most 500 characters. */
  message: string;
  /** All its words, with codes and names of fields, by which programs tell complaints apart. */
  words: string;
}

/** Longer messages, in characters, are cut: some servers answer with a page. */
const MAX_LENGTH = 500;
/** What servers repeat of a request. */
const REPEATED = new Set(["input", "ctx", "url", "request"]);

/** The complaint of a body: of an object that is an error, a page, or any text. */
export function complaintOf(body: string): Complaint {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return complaint(textOfPage(body) || "an empty answer");
  }
  return complaintIn(value) ?? complaint(body.trim() || "an empty answer", wordsOf(value));
}

/**
 * The complaint that is in a JSON value, also in a good answer or a part of a stream: an `error` at the top or in the first
 * choice, or a `message` or `detail` in place of choices.
 */
export function complaintIn(value: unknown): Complaint | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) return undefined;
  const { choices } = first;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const places = [first, ...(isObject(choice) ? [choice, choice.message, choice.delta] : [])];
  for (const place of places) {
    const message = isObject(place) ? messageOfError(place.error ?? place.errors) : undefined;
    if (message !== undefined) return complaint(message, wordsOf(place));
  }
  const isAnswer = Array.isArray(choices) && choices.length > 0;
  const message = isAnswer || (first.object !== undefined && first.object !== "error") ? undefined : ownMessage(first);
  return message === undefined ? undefined : complaint(message, wordsOf(first));
}

const complaint = (message: string, words = message): Complaint => ({ message: message.slice(0, MAX_LENGTH), words });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The message of the value of an `error` field; undefined where it says that there is none. */
function messageOfError(error: unknown): string | undefined {
  if (typeof error === "string") return error === "" ? undefined : error;
  if (error === true) return "an error without a message";
  if (Array.isArray(error)) return error.length === 0 ? undefined : (messageOfError(error[0]) ?? JSON.stringify(error));
  if (!isObject(error) || Object.keys(error).length === 0) return undefined;
  return messageOfError(error.error) ?? ownMessage(error) ?? JSON.stringify(error);
}

function ownMessage({ message, detail, msg, error_message, error_msg }: Record<string, unknown>): string | undefined {
  const said = [message, detail, msg, error_message, error_msg].find((each) => each !== undefined && each !== null);
  if (typeof said === "string") return said;
  return isObject(said) ? wordsOf(said) : undefined;
}

/** All texts in a value, but for what it repeats of the request. */
function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return "";
  const parts = Object.entries(value).map(([name, part]) => (REPEATED.has(name) ? "" : wordsOf(part)));
  return parts.filter((part) => part !== "").join(" ");
}

/** A text as it is; of a web page its title, or what can be read in it. */
function textOfPage(body: string): string {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body)) return body.trim();
  const title = /<title[^>]*>([^<]*)</i.exec(body)?.[1]?.trim();
  const text = body.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, " ").replace(/\s+/g, " ");
  const name = (title || text.trim()).slice(0, 200);
  return `${name === "" ? "a web page" : `the web page ${JSON.stringify(name)}`}, not a model's answer`;
}

/** What a request can be too long in, and how servers say that it is. */
const LENGTH = /context|tokens?\b|prompt|input|sequence|messages?\b|conversation|kv.?cache|body|payload/i;
const EXCESS =
  /exceed|too[ _]?(?:long|large|big|many|much)|(?:long|larg|great)er than|more than|at most|over the|above_max|overflow|(?:does ?n.t|not) fit|not enough|no (?:room|space)|limit|maximum (?:context|model|length|input|sequence|number)/i;
/** A limit of how much may be asked in a time. */
const RATE = /rate.?limit|quota|per (?:second|minute|hour|day)|billing|credits?\b|concurren/i;

/** Whether a complaint says that prompt and answer exceed the model's context, in whichever words. */
export function isContextOverflow({ words }: Complaint, status?: number): boolean {
  if (status === 413) return true;
  if (status !== undefined && !canBeAboutRequest(status)) return false;
  return LENGTH.test(words) && EXCESS.test(words) && !RATE.test(words);
}

/** Whether an answer with this status may say that something in the request is refused. */
export const canBeAboutRequest = (status: number): boolean =>
  (status >= 400 && status < 500 && ![401, 402, 403, 407, 408, 425, 429].includes(status)) ||
  status === 500 ||
  status === 501;
