import { findSecrets, isSecretFile } from "../../secrets/find-secrets.ts";
import { type Finding, quote, type Rule } from "../requirement.ts";

const ADVICE = "keep it in the app's settings or in a file outside the app, and revoke a key that was ever published";

export const secrets: Rule = {
  id: "PKG-011",
  level: "SHOULD",
  section: "2.5",
  title: "No secrets and no .env in the package",
  mutants: ["PKG-011-env-file", "PKG-011-key-in-code", "PKG-011-private-key"],
  explanation:
    "Anyone can read the files of a published app, and those of its earlier versions. Keys belong into the app's " +
    "settings page, an environment variable or a file outside of the app. A key that was published once is known: " +
    "revoke it. publish refuses an app with secrets in its files or its commits.",
  example: {
    file: "my_app/main.py",
    wrong: 'KEY = "AKIAIOSFODNN7EXAMPLE"',
    right: 'KEY = os.environ.get("MY_APP_KEY")',
  },
  fixes: "lists files such as .env in .gitignore",
  fix: ({ files }) => {
    const found = [...files.keys()].filter(isSecretFile);
    const rules = files.get(".gitignore") ?? "";
    const text = `${rules}${rules === "" || rules.endsWith("\n") ? "" : "\n"}${found.join("\n")}\n`;
    return found.length === 0 ? [] : [{ file: ".gitignore", text }];
  },
  check: async ({ files }) => {
    const findings = await Promise.all([...files].map(([file, text]) => secretsIn(file, text ?? "")));
    return findings.flat();
  },
};

/** The secrets in a text, and the file itself when its name says that it holds some. */
export async function secretsIn(file: string, text: string): Promise<Finding[]> {
  if (isSecretFile(file)) {
    return [{ message: `This file holds secrets: list it in .gitignore, or remove it; ${ADVICE}.`, file, line: null }];
  }
  const found = await findSecrets(file, text);
  return found.map(({ what, start, line }) => {
    const message = `This looks like a secret, ${what} (${quote(`${start}...`)}): ${ADVICE}.`;
    return { message, file, line };
  });
}
