import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { waitFor } from "../../common/time/wait-for.ts";
import { accessibilityViolations } from "../http/testing/accessibility.ts";
import { browserPath } from "../http/testing/browser.ts";
import { MAIN, mainThatSays, SECRET } from "./testing/edited-app.ts";
import { useWorkshopPage, whyLeftOut } from "./testing/workshop-page.ts";

describe.skipIf(browserPath === undefined)(`the workshop, in a real browser${whyLeftOut}`, () => {
  const { page, edited, errors, button, text, kept, log, open, say } = useWorkshopPage();

  /** Waits until the motions of so many tries are recorded; an app without the SDK counts as running after a while. */
  const recorded = (count: number) => page().getByTitle(`recorded: ${count}`).waitFor();

  test("without the secret of the link, the button says how to get it", async () => {
    await page().goto(edited().daemon.url);
    await button("Edit obedient").first().click();
    await page().getByText("the key d opens it").waitFor();
    await page().keyboard.press("Escape");
  });

  test("the link opens the dashboard, whose address does not have the secret, and the app can be edited", async () => {
    await open();
    expect(page().url()).toMatch(/#edit$/);
    expect(await text().textContent()).toContain('print("kept"');
  });

  test("while the files are loading, the editor takes no text, and axe finds nothing", async () => {
    let load = () => {};
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page().route("**/api/workshop/files", async (route) => {
      await loaded;
      await route.continue();
    });
    await page().reload();
    const editor = page().getByRole("textbox", { name: "Text of a file that is loading" });
    await editor.waitFor();
    await page().getByRole("region", { name: "Findings" }).getByText("Not checked yet.").waitFor();
    expect(await accessibilityViolations(page(), "loading")).toEqual([]);
    expect([await editor.isEditable(), await editor.getAttribute("contenteditable")]).toEqual([false, "false"]);
    load();
    await text().waitFor();
    await page().unroute("**/api/workshop/files");
    expect(await text().isEditable()).toBe(true);
  });

  test("what the check finds is marked beside its line, and leads to it", async () => {
    const marks = () => page().locator(".cm-lint-marker-error").count();
    await waitFor(60_000, "the marks of the app as it is", async () => (await marks()) > 0);
    const before = await marks();
    await text().focus();
    await page().keyboard.press("Control+Home");
    await page().keyboard.type("import (\n");
    await page()
      .getByRole("region", { name: "Findings" })
      .getByRole("button", { name: `${MAIN}:1` })
      .first()
      .waitFor();
    await page().locator(".cm-lint-marker-error").first().waitFor();
    await page().keyboard.press("Control+Enter");
    await page().getByText("What runs goes on.").first().waitFor();
    await button("Undo").click();
    await waitFor(60_000, "the text as it was", async () => !(await text().textContent())?.includes("import ("));
    await waitFor(60_000, "the marks as before", async () => (await marks()) === before);
  });

  test("a syntax error in a file of another language is marked while it is typed", async () => {
    await button("New file").click();
    await page().keyboard.type("obedient/moves.json");
    await page().keyboard.press("Enter");
    await page().getByRole("textbox", { name: "Text of obedient/moves.json" }).focus();
    await page().keyboard.type('{"a": 1,');
    await page()
      .getByRole("region", { name: "Findings" })
      .getByRole("button", { name: "obedient/moves.json:1" })
      .waitFor();
    await page().locator(".cm-lint-marker-error").first().waitFor();
    await page().keyboard.press("Backspace");
    await waitFor(60_000, "no mark", async () => (await page().locator(".cm-lint-marker-error").count()) === 0);
    await button("Remove the new file obedient/moves.json").click();
    await page().getByRole("tab", { name: MAIN, selected: true }).waitFor();
  });

  test("a failure leads to its line and can be fixed when a traceback says where, and otherwise not", async () => {
    const failure = page().getByRole("region", { name: "Findings" }).getByRole("alert");
    for (const [code, isTraced] of [
      ["print(1 / 0)", true],
      ["raise SystemExit(3)", false],
    ] as const) {
      const line = 'print("kept", flush=True)';
      await say(line, code);
      const placed = page().waitForResponse((response) => response.url().endsWith("/api/workshop/failure"));
      await page().keyboard.press("Control+Enter");
      await failure.getByText(isTraced ? "ZeroDivisionError" : "exited with code 3").waitFor();
      await (await placed).finished();
      if (isTraced) await failure.getByRole("button", { name: `${MAIN}:` }).waitFor();
      expect(await button("Fix this: the failure of the app").count()).toBe(isTraced ? 1 : 0);
      await button("Undo").click();
      await waitFor(60_000, "the text as kept", async () => (await text().textContent())?.includes(line) === true);
    }
  });

  test("an app is edited, tried, kept and undone by keyboard alone", async () => {
    await say("kept", "new word");
    await page().keyboard.press("Control+Enter");
    await log("new word").waitFor();
    await page().getByText("A try of obedient runs").waitFor();
    expect(kept()).toBe(mainThatSays("kept"));
    await page().keyboard.press("Control+s");
    await waitFor(60_000, "the file", () => kept() === mainThatSays("new word"));
    await page().getByText("All kept").waitFor();
    // Out of the editor, in which Tab indents, and to the buttons above it.
    await page().keyboard.press("Control+m");
    await page().keyboard.press("Shift+Tab");
    for (const name of ["Ask", "What to change", "New file", MAIN, "Stop the app", "Undo"]) {
      const focused = "document.activeElement.ariaLabel ?? document.activeElement.textContent";
      await waitFor(60_000, `the focus on ${name}`, async () => {
        const found = await page().evaluate<string>(focused);
        // Disabled unless two tries have run for long enough to be recorded.
        if (found.includes("Compare")) await page().keyboard.press("Shift+Tab");
        return found.includes(name);
      });
      if (name !== "Undo") await page().keyboard.press("Shift+Tab");
    }
    await page().keyboard.press("Enter");
    await waitFor(60_000, "the file as before", () => kept() === mainThatSays("kept"));
    await waitFor(60_000, "the text as before", async () => (await text().textContent())?.includes('"kept"') === true);
  });

  test("a name that no file can have is marked, and taken back", async () => {
    await button("New file").click();
    await page().getByRole("textbox", { name: "Path of the new file" }).fill("../outside.py");
    await button("Add").click();
    await page().getByRole("region", { name: "Findings" }).getByText("is not the path of a file").waitFor();
    await button("Remove the new file ../outside.py").click();
    await page().getByRole("tab", { name: MAIN, selected: true }).waitFor();
    expect(await page().getByRole("tab", { name: "../outside.py" }).count()).toBe(0);
  });

  test("two tries are compared, and one is taken up again", async () => {
    await page().reload(); // forgets the tries before
    await text().waitFor();
    await say("kept", "one");
    await button("Try").click();
    await page().getByText("A try of obedient runs").waitFor();
    await recorded(1);
    await say("one", "two");
    await button("Try").click();
    await recorded(2);
    await button("Compare").click();
    const dialog = page().getByRole("dialog", { name: "Compare two tries" });
    await dialog.getByRole("combobox").nth(1).waitFor();
    expect(await accessibilityViolations(page(), "comparing")).toEqual([]);
    await dialog
      .getByRole("button", { name: /^Take try/ })
      .first()
      .focus();
    await page().keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await waitFor(60_000, "the first try", async () => (await text().textContent())?.includes('"one"') === true);
    await button("Undo").click();
    await waitFor(60_000, "the text as kept", async () => (await text().textContent())?.includes('"kept"') === true);
  });

  test("a file that another editor saves is shown; one that was changed here as well is a choice", async () => {
    await writeFile(join(edited().folder, MAIN), mainThatSays("by another"));
    await page().evaluate("dispatchEvent(new Event('focus'))");
    await waitFor(60_000, "the new text", async () => (await text().textContent())?.includes('"by another"') === true);
    await say("by another", "mine");
    await writeFile(join(edited().folder, MAIN), mainThatSays("by another again"));
    await page().keyboard.press("Control+s");
    await button("Stay with mine").waitFor();
    expect(kept()).toBe(mainThatSays("by another again"));
    await button("Stay with mine").click();
    await button("Keep").click();
    await waitFor(60_000, "the file", () => kept() === mainThatSays("mine"));
  });

  test("text that is not kept outlives a look at the dashboard, and a daemon that was started again", async () => {
    await say("mine", "unsaved");
    await button("Dashboard").click();
    await button("Edit obedient").first().click();
    await waitFor(60_000, "the text", async () => (await text().textContent())?.includes('"unsaved"') === true);
    await page().evaluate("location.hash = '#workshop=of-the-daemon-before'");
    await page().getByText("open its new link in this tab").first().waitFor();
    expect(await text().textContent()).toContain('"unsaved"');
    await page().evaluate(`location.hash = "#workshop=${SECRET}"`);
    await page().waitForURL((url) => url.hash === "#edit");
    await button("Keep").click();
    await waitFor(60_000, "the file", () => kept() === mainThatSays("unsaved"));
  });

  test("a new file is made by a keep", async () => {
    await button("New file").click();
    await page().keyboard.type("obedient/words.py");
    await page().keyboard.press("Enter");
    await page().getByRole("textbox", { name: "Text of obedient/words.py" }).focus();
    await page().keyboard.type("WORD = 1");
    await page().keyboard.press("Control+s");
    await page().getByText("All kept").waitFor();
    expect(readFileSync(join(edited().folder, "obedient/words.py"), "utf8")).toBe("WORD = 1");
  });

  test("axe finds nothing, light and dark, wide and narrow", async () => {
    await page().getByRole("tab", { name: MAIN }).click();
    await text().focus();
    await page().keyboard.press("Control+Home");
    await page().keyboard.type("import (\n");
    await page().locator(".cm-lint-marker-error").first().waitFor();
    expect(await accessibilityViolations(page(), "with a finding")).toEqual([]);
    const size = page().viewportSize();
    await page().setViewportSize({ width: 390, height: 844 });
    expect(await page().evaluate<number>("document.documentElement.scrollWidth")).toBe(390);
    if (size !== null) await page().setViewportSize(size);
  });

  test("the browser's back button leads to the dashboard, and the page has reported no errors", async () => {
    await button("Dashboard").click();
    await button("Edit obedient").first().click();
    await text().waitFor();
    await page().goBack();
    await page().getByLabel("Running app").waitFor();
    // The refused requests are answers that browsers report.
    expect(errors.filter((error) => !/409 \(Conflict\)|403 \(Forbidden\)/.test(error))).toEqual([]);
  });
});
