import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Sample } from "../sample.ts";
import { TOKEN } from "../tokens.ts";

/**
 * Marks the target area in the code: a cursor, or the two ends of a selection.
 * @throws WorkbenchError `bad-request` when `loc` lies outside the code or runs backwards
 */
export function markTarget(code: string, loc: Sample["loc"]): string {
  if (loc === undefined || loc === null) return code;
  const points = Array.from(code);
  const [start, end] = typeof loc === "number" ? [loc, loc] : loc;
  if (start > end || end > points.length) {
    const range = `0 to ${points.length}, the length of current.code in code points`;
    throw new WorkbenchError("bad-request", `loc is ${JSON.stringify(loc)}; it must lie within ${range}.`);
  }
  const text = (from: number, to?: number) => points.slice(from, to).join("");
  if (typeof loc === "number") return text(0, start) + TOKEN.target + text(start);
  return text(0, start) + TOKEN.targetStart + text(start, end) + TOKEN.targetEnd + text(end);
}
