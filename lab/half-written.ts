// npm run lab -- half-written apeval.json: writes each step of a public benchmark of half-written code (APEval,
// benchmark/apeval.json of the repository TechxGenus/CursorCore), forwards and backwards, as an answer of each format, applies it
// without refusing new syntax errors and prints how many give exactly the text of the step.
import { readFileSync } from "node:fs";
import { applyEdit } from "../edit/apply/apply.ts";
import { FORMATS } from "../edit/formats/format.ts";
import { renderResponse } from "../edit/formats/render/render-response.ts";

const tasks: { history: { code: string }[]; current: { code: string } }[] = JSON.parse(
  readFileSync(process.argv[2] ?? "apeval.json", "utf8"),
);
const steps = tasks.flatMap(({ history, current }) =>
  [...history, current].slice(1).flatMap(({ code }, at) => {
    const before = history[at]?.code ?? "";
    return [
      { before, after: code },
      { before: code, after: before },
    ];
  }),
);
for (const format of FORMATS) {
  const options = { format, lang: "python", finalNewline: "answer", syntax: "warn" } as const;
  let exact = 0;
  for (const { before, after } of steps) {
    const outcome = await applyEdit(before, renderResponse(before, after, options), options);
    if ((outcome.status === "applied" ? outcome.result : before) === after) exact += 1;
  }
  console.log(`${format}: ${exact} of ${steps.length}`);
}
