import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type ReplayServer, startReplayServer } from "../../../edit/testing/replay/server.ts";
import { browserPath, openBrowser } from "../../http/testing/browser.ts";
import type { Certify } from "../workshop-certifications.ts";
import { type EditedApp, MAIN, mainThatSays, SECRET, startEditedApp } from "./edited-app.ts";

/** Why the tests of the page are left out here, for their title; empty when they are not. */
export const whyLeftOut = browserPath
  ? ""
  : " (left out: no Chromium here; apt install chromium, or set CHROMIUM=/path)";

/** An instruction that the model never answers. */
export const NEVER = "Think for ever.";
/** What the model puts above the app's code, before which it says something else. */
export const COMMENT = "# By the model.\n";

/** The page of the workshop of an app, in a browser that the tests of a file share. */
interface WorkshopPage {
  page(): Page;
  edited(): EditedApp;
  /** What the page reported as errors. */
  errors: readonly string[];
  button(name: string | RegExp): ReturnType<Page["getByRole"]>;
  /** The editor of the app's main file. */
  text(): ReturnType<Page["getByRole"]>;
  /** The main file in the app's folder. */
  kept(): string;
  log(word: string): ReturnType<Page["getByText"]>;
  /** Opens the link of the workshop, and the editor. */
  open(): Promise<void>;
  /** Types in place of the word that the app says. */
  say(before: string, word: string): Promise<void>;
}

/** Opens the page before the tests of a file; prints what it shows when one of them fails. */
export function useWorkshopPage(): WorkshopPage {
  let browser: Browser;
  let edited: EditedApp;
  let model: ReplayServer;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    model = await startReplayServer({
      answerTo: async (prompt) => (prompt.includes(NEVER) ? new Promise<never>(() => {}) : ANSWER),
    });
    const env = { ROBOT_MODEL_URL: model.url, ROBOT_MODEL_FORMAT: "wf" };
    [browser, edited] = await Promise.all([openBrowser(browserPath ?? ""), startEditedApp(env, certify)]);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    // What the robot looks like is the viewer's business, and drawing it without a graphics card is slow.
    await page.route(/\/viewer-[^/]*\.js$/, (route) =>
      route.fulfill({ contentType: "text/javascript", body: NO_VIEW }),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await edited?.close();
    await model?.close();
  });

  beforeEach(({ onTestFailed }) =>
    onTestFailed(
      async () => void process.stdout.write(`The page shows:\n${await page.locator("body").ariaSnapshot()}\n`),
    ),
  );

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  const text = () => page.getByRole("textbox", { name: `Text of ${MAIN}` });
  const kept = () => readFileSync(join(edited.folder, MAIN), "utf8");
  const log = (word: string) => page.getByLabel("Log lines").getByText(word, { exact: true });
  const say = async (before: string, word: string) => {
    await text().focus();
    await page.keyboard.press("Control+f");
    await page.keyboard.type(before);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.type(word);
  };

  const open = async () => {
    await page.goto(`${edited.daemon.url}/#workshop=${SECRET}`);
    await page.reload(); // the same document until then
    await page.waitForURL((url) => url.hash === "");
    await button("Edit obedient").first().click();
    await text().waitFor();
  };
  return { page: () => page, edited: () => edited, errors, button, text, kept, log, open, say };
}

/** An app that is loud violates LIFE-003; the report is a page with the tier. */
const certify: Certify = async ({ folder, tier, out }, onProgress) => {
  onProgress({ done: 1, planned: 2, violated: [] });
  const isMet = !readFileSync(join(folder, MAIN), "utf8").includes("loud");
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "report.html"), `<!doctype html><title>Report</title><p>The report of ${tier}</p>`);
  const found = { level: "MUST" as const, title: "It stops", status: "fail" as const, message: "It is loud.", line: 8 };
  const problems = isMet
    ? []
    : [
        { ...found, id: "LIFE-003", file: MAIN, replayable: true },
        { ...found, id: "PKG-009", file: MAIN, replayable: false },
        { ...found, id: "SDK-001", file: null, replayable: true, status: "inconclusive" as const },
      ];
  const judged = { problems, passed: isMet ? ["LIFE-003"] : [], seconds: 12 };
  return { verdict: isMet ? "conformant" : "not-conformant", ...judged };
};

const EDIT = COMMENT + mainThatSays("by the model");
const ANSWER = `\`\`\`python\n${EDIT}\`\`\`<|next_end|>\nIt says it.<|im_end|>`;

/** Stands in for the code that draws the robot. */
const NO_VIEW = `export const createRobotView = () => { throw new Error("not drawn in this test"); };
export const t = createRobotView, n = createRobotView, r = createRobotView;`;
