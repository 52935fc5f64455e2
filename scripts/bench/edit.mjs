// Measures parsing and applying a code model's edits.
import { figure, section } from "./figures.mjs";

export async function benchEdit() {
  section("Edits of a code model");
  const { measureEdits } = await import(new URL("../../dist/assistant/edit/measure.js", import.meta.url).href);
  for (const { what, value } of await measureEdits(() => performance.now())) figure(what, value);
}
