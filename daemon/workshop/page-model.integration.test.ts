import type { Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { waitFor } from "../../common/time/wait-for.ts";
import { accessibilityViolations } from "../http/testing/accessibility.ts";
import { browserPath } from "../http/testing/browser.ts";
import { MAIN, mainThatSays } from "./testing/edited-app.ts";
import { COMMENT, NEVER, useWorkshopPage, whyLeftOut } from "./testing/workshop-page.ts";

describe.skipIf(browserPath === undefined)(
  `the model and the verdict in the workshop, in a real browser${whyLeftOut}`,
  () => {
    const { page, button, text, kept, open, say } = useWorkshopPage();
    beforeAll(open);

    test("the model's edit is shown as a difference, of which a person keeps one change and leaves another", async () => {
      await page()
        .getByRole("textbox", { name: `What to change in ${MAIN}` })
        .fill("Say it, and wait longer.");
      await page().keyboard.press("Enter");
      await page().getByText("It says it.").waitFor();
      await waitFor(60_000, "two differences", async () => (await button("Keep this").count()) === 2);
      await button("Keep this").first().focus();
      await page().keyboard.press("Enter");
      await waitFor(60_000, "one difference", async () => (await button("Keep this").count()) === 1);
      // Another file and back, and another question: neither decides.
      await page().getByRole("tab", { name: "pyproject.toml" }).click();
      await page().getByRole("tab", { name: MAIN }).click();
      await page()
        .getByRole("textbox", { name: `What to change in ${MAIN}` })
        .focus();
      await page().keyboard.press("Enter");
      await page().getByText(`The model's edit of ${MAIN} is not decided`).waitFor();
      await waitFor(60_000, "the difference again", async () => (await button("Keep this").count()) === 1);
      await button("Leave it").focus();
      await page().keyboard.press("Enter");
      await waitFor(60_000, "no difference", async () => (await button("Accept all").count()) === 0);
      expect(kept()).toBe(mainThatSays("kept"));
      await button("Keep").click();
      await waitFor(60_000, "the file", () => kept() === COMMENT + mainThatSays("kept"));
      await button("Undo").click();
      await waitFor(60_000, "the file as before", () => kept() === mainThatSays("kept"));
      await waitFor(60_000, "the text as before", async () => !(await text().textContent())?.includes("By the model"));
    });

    test("after a keep the verdict is shown, grey while the text differs, with a fix of what is not met", async () => {
      const verdict = page().getByRole("region", { name: "Verdict" });
      await say("kept", "loud");
      await button("Keep").click();
      await verdict.getByText("Not conformant").waitFor();
      await verdict.getByText("as far as the short tier judges").waitFor();
      expect(await verdict.getByRole("link", { name: "Replay LIFE-003" }).getAttribute("href")).toMatch(
        /report#replay\/LIFE-003$/,
      );
      // What no test run shows has no moment, and what could not be judged no fault.
      expect(await verdict.getByRole("link", { name: "Replay PKG-009" }).count()).toBe(0);
      expect(await button("Fix this: PKG-009").count()).toBe(1);
      expect(await button("Fix this: SDK-001").count()).toBe(0);
      await say("loud", "louder");
      await verdict.getByText("The app differs from what was judged").waitFor();
      expect(await accessibilityViolations(page(), "a stale verdict")).toEqual([]);
      await button("Undo").click();
      await waitFor(60_000, "a verdict about the text", async () => (await verdict.getByText("differs").count()) === 0);
      await button("Fix this: LIFE-003").click();
      await page().getByText("LIFE-003 was judged with the edit, and is met.").waitFor();
      await button("Accept all").click();
      await button("Keep").click();
      await verdict.getByText("Conformant", { exact: true }).waitFor();
      await button("Certify").click();
      await verdict.getByText("in all requirements").waitFor();
      const opened = page().waitForEvent("popup");
      await verdict.getByRole("link", { name: "Report" }).click();
      await (await opened).getByText("The report of whole").waitFor();
      await (await opened).close();
      for (const word of ["loud", "kept"]) {
        await button("Undo").click();
        await waitFor(60_000, `a text that says ${word}`, async () =>
          (await text().textContent())?.includes(`"${word}"`),
        );
      }
    });

    test("a question is stopped, and not asked again", async () => {
      const asked: string[] = [];
      const note = (request: Request) => void (request.url().endsWith("/ask") && asked.push(request.url()));
      page().on("request", note);
      await page()
        .getByRole("textbox", { name: `What to change in ${MAIN}` })
        .fill(NEVER);
      await button("Ask").click();
      await button("Stop").click();
      await button("Ask").waitFor();
      page().off("request", note);
      expect(asked).toHaveLength(1);
    });
  },
);
