import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

const lowerCase = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => require(list) as string[]).map((each) => each.toLowerCase()));

let known: { licenses: ReadonlySet<string>; exceptions: ReadonlySet<string> } | undefined;

/** Loaded on the first use: most projects name no licence. */
function spdx(): NonNullable<typeof known> {
  known ??= {
    licenses: lowerCase("spdx-license-ids", "spdx-license-ids/deprecated.json"),
    exceptions: lowerCase("spdx-exceptions", "spdx-exceptions/deprecated.json"),
  };
  return known;
}

/** Whether a text is a licence expression: `MIT`, `MIT OR Apache-2.0`, `LicenseRef-Mine` (PEP 639). Case does not count. */
export function isLicenseExpression(text: string): boolean {
  const tokens = text.toLowerCase().replace(/[()]/g, " $& ").split(/\s+/).filter(Boolean);
  const end = expressionEnd(tokens, 0);
  return end !== undefined && end === tokens.length;
}

/** The index behind an expression that begins at a token; undefined where none does. */
function expressionEnd(tokens: readonly string[], at: number): number | undefined {
  const end = termEnd(tokens, at);
  const joint = tokens[end ?? tokens.length];
  return end !== undefined && (joint === "and" || joint === "or") ? expressionEnd(tokens, end + 1) : end;
}

function termEnd(tokens: readonly string[], at: number): number | undefined {
  let end: number | undefined = at + 1;
  if (tokens[at] === "(") {
    end = expressionEnd(tokens, at + 1);
    if (end === undefined || tokens[end] !== ")") return undefined;
    end += 1;
  } else if (!isLicense(tokens[at] ?? "")) return undefined;
  if (tokens[end] !== "with") return end;
  return spdx().exceptions.has(tokens[end + 1] ?? "") ? end + 2 : undefined;
}

const isLicense = (token: string): boolean =>
  /^licenseref-[a-z0-9.-]+$/.test(token) || spdx().licenses.has(token.replace(/\+$/, "")) || spdx().licenses.has(token);
