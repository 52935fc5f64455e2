import { wrongText } from "../explain-rule.ts";
import type { Rule } from "../requirement.ts";

/** The page docs/rules.md. */
export function rulesPage(rules: readonly Rule[]): string {
  const sections = rules.map(({ id, level, section, title, explanation, example, fixes }) => {
    const language = /\.py$/.test(example.file) ? "python" : /\.toml$/.test(example.file) ? "toml" : "text";
    const fence = (text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
    const fix = fixes === undefined ? "A person has to fix it." : `\`check --fix\` ${fixes}.`;
    return [
      `## ${id}`,
      `**${escapeMarkdown(title)}** (${level}, section ${section} of the app contract)`,
      escapeMarkdown(explanation),
      `Wrong, in \`${example.file}\`:`,
      fence(wrongText(example)),
      "Right:",
      fence(example.right),
      fix,
    ].join("\n\n");
  });
  return `${HEAD}\n\n${sections.join("\n\n")}\n`;
}

const HEAD = `# Rules of check

Every rule of [check](checks.md), with an example that it refuses and one that it accepts. The same text in the terminal:

\`\`\`sh
npx robot-app-assistant check --list
npx robot-app-assistant check --explain PKG-003
\`\`\``;

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[<>]/g, (mark) => (mark === "<" ? "&lt;" : "&gt;"))
    .replaceAll("__", "\\_\\_")
    .replaceAll("*", "\\*");
