import { type Finding, quote, type Requirement } from "../requirement.ts";

/** Files that hold secrets by their very name; examples of them are for sharing. */
const SECRET_FILES =
  /(?:^|\/)(?:\.env(?!\.(?:example|sample|template)$)(?:\.[^/]*)?|id_(?:rsa|ecdsa|ed25519)|[^/]+\.(?:pem|p12))$/;

/** What keys look like, each after its maker's documentation. */
const SECRETS: readonly { what: string; pattern: RegExp }[] = [
  { what: "a token of the hub", pattern: /\bhf_[A-Za-z0-9]{34}\b/g },
  { what: "a GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})\b/g },
  { what: "an OpenAI or Anthropic key", pattern: /\bsk-(?:proj-|ant-)?[\w-]{32,}/g },
  { what: "an AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { what: "a Google key", pattern: /\bAIza[\w-]{35}/g },
  { what: "a Slack token", pattern: /\bxox[abprs]-[\w-]{10,}/g },
  { what: "a private key", pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g },
];

const NEXT = "keep it in the app's settings or a file outside, and have a key that was ever published replaced";

/** An app's folder is published as it is. */
export const secrets: Requirement = {
  id: "PKG-011",
  level: "SHOULD",
  section: "2.5",
  title: "No secrets and no .env in the package",
  mutants: ["PKG-011-env-file", "PKG-011-key-in-code", "PKG-011-private-key"],
  check: ({ files }) => [...files].flatMap(([file, text]) => secretsIn(file, text ?? "")),
};

/** What looks like a secret in a file, or in any other text, by its path. */
export function secretsIn(file: string, text: string): Finding[] {
  if (SECRET_FILES.test(file)) {
    return [{ message: `This file holds secrets: list it in .gitignore, or remove it; ${NEXT}.`, file, line: null }];
  }
  return SECRETS.flatMap(({ what, pattern }) =>
    [...text.matchAll(pattern)].map(({ 0: secret, index }) => {
      const line = text.slice(0, index).split("\n").length;
      return { message: `This looks like ${what} (${quote(`${secret.slice(0, 8)}...`)}): ${NEXT}.`, file, line };
    }),
  );
}
