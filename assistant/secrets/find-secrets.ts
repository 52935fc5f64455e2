import { extname } from "node:path";
import { isMadeUp, isSample, KEY_BODY } from "./made-up.ts";

/** A secret in a text. */
export interface Secret {
  /** What it looks like, for example "GitHub Token(GitHub personal access tokens)". */
  what: string;
  /** Its first characters; the rest is never shown. */
  start: string;
  /** Line from 1. */
  line: number;
}

/** Files that hold secrets by convention; examples of them do not. */
const SECRET_FILES =
  /(?:^|\/)(?:\.env(?!\.(?:example|sample|template)$)(?:\.[^/]*)?|id_(?:rsa|ecdsa|ed25519)|[^/]+\.(?:pem|p12))$/;

/** Characters of a secret that are shown. */
const SHOWN = 8;

/** Whether a path names a file that holds secrets, such as `.env` or `deploy.pem`. */
export function isSecretFile(path: string): boolean {
  return SECRET_FILES.test(path);
}

/**
 * Finds keys and tokens in a text with secretlint's recommended rules and those of `keyPatternsRule`, in the order of
 * the text.
 * @param path decides which formats are looked for: a service account's key is a `.json` file
 */
export async function findSecrets(path: string, text: string): Promise<Secret[]> {
  const [{ lintSource }, { creator }, { keyPatternsRule }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("./key-patterns-rule.ts"),
    import("@secretlint/profiler"),
  ]);
  // It keeps two marks of each rule and text for ever, and compares each with all before: every text would take longer.
  secretLintProfiler.mark = () => {};
  const rules = [
    { id: "recommended", rule: creator, options: {}, rules: [] },
    { id: keyPatternsRule.meta.id, rule: keyPatternsRule, options: {} },
  ];
  const { messages } = await lintSource({
    source: { filePath: path, content: text, ext: extname(path), contentType: "text" },
    options: { config: { rules }, noPhysicFilePath: true },
  });
  const found = messages.flatMap(({ message, range, loc }) => {
    const [what = ""] = message.replace(/^found /, "").split(": ", 1);
    if (isSample(path) && isMadeUp(text.slice(range[0], range[1]), text.slice(range[1], range[1] + KEY_BODY)))
      return [];
    return { what, start: text.slice(range[0], Math.min(range[1], range[0] + SHOWN)), line: loc.start.line, range };
  });
  // Two rules may find the same key.
  const first = found.filter(({ range }, at) => !found.slice(0, at).some((each) => each.range[1] > range[0]));
  return first.map(({ what, start, line }) => ({ what, start, line }));
}
