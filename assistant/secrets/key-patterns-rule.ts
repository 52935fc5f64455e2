import type { SecretLintRuleCreator } from "@secretlint/types";

/** Keys that the recommended rules of secretlint leave out, by the documentation of each service. */
const PATTERNS: readonly { what: string; pattern: RegExp }[] = [
  { what: "Hugging Face token", pattern: /\bhf_(?=\w*\d)[A-Za-z0-9]{34}\b/g },
  { what: "AWS access key id", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { what: "Google API key", pattern: /\bAIza[\w-]{35}/g },
  { what: "API key of a model server", pattern: /\bsk-[\w-]{32,}/g },
  { what: "private key", pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g },
];

const messages = { KEY: { en: ({ what }: { what: string }) => `found ${what}: ` } };

/** A secretlint rule for keys that its recommended rules leave out. */
export const keyPatternsRule: SecretLintRuleCreator = {
  messages,
  meta: {
    id: "key-patterns",
    type: "scanner",
    recommended: false,
    supportedContentTypes: ["text"],
    docs: { url: "https://github.com/secretlint/secretlint" },
  },
  create: (context) => {
    const translate = context.createTranslator(messages);
    return {
      file: ({ content }) => {
        for (const { what, pattern } of PATTERNS) {
          for (const { 0: key, index } of content.matchAll(pattern)) {
            context.report({ message: translate("KEY", { what }), range: [index, index + key.length] });
          }
        }
      },
    };
  },
};
