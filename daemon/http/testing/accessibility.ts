import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Sizes in pixels: a desk, and a phone. */
const VIEWS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;

interface Violation {
  id: string;
  nodes: readonly { target: readonly string[]; failureSummary: string }[];
}

/**
 * The violations that axe finds on a page as it is, in light and dark, at the width of a desk and of a phone: one line for
 * each element. The page is left light and wide.
 */
export async function accessibilityViolations(page: Page, state: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const)
    for (const view of VIEWS.toReversed()) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(view);
      // By evaluation, because the pages' own policy allows no scripts of others.
      await page.evaluate(AXE);
      const violations: Violation[] = await page.evaluate("axe.run(document).then(({ violations }) => violations)");
      for (const { id, nodes } of violations)
        for (const { target, failureSummary } of nodes)
          found.push(
            `${state}, ${colorScheme}, ${view.width} px: ${id} ${target.join(" ")} ${failureSummary.split("\n").slice(1).join(";")}`,
          );
    }
  return found;
}
