// Measures the workshop's page in Chromium: from a keystroke to its mark, and from the last token of a hunk to the hunk.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { browserPath, openBrowser } from "../../daemon/http/testing/browser.ts";
import { workshopLink } from "../../robot/wire/workshop/access-secret.ts";
import { until } from "./daemon.ts";
import { figure, median, quantile } from "./figures.ts";

const ROUNDS = 20;
const [MARK_MS, HUNK_MS] = [150, 100];
/** Milliseconds between two tokens, and between two hunks. */
const [TOKEN_MS, HUNK_PAUSE_MS] = [5, 300];
/** Lines of the app that the model changes, far enough from each other to be hunks of their own. */
const LINES = ["import time", "class App(RobotApp):", "            time.sleep(0.02)", "    app = App()"];

/** Milliseconds since 1970, as the page has them. */
const now = () => performance.timeOrigin + performance.now();

/** A server of the OpenAI interface that streams an edit of each of the lines. @returns when it sent the last token of each */
export async function startStreamingModel(): Promise<{ url: string; sent: number[]; close(): void }> {
  const sent: number[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (request.url === "/v1/models") return response.end(JSON.stringify({ data: [{ id: "bench" }] }));
    if (request.url !== "/v1/chat/completions") return response.writeHead(404).end("{}");
    const blocks = LINES.map((line) => `\`\`\`python\n${line}\n<|search_and_replace|>\n${line}  # new\n\`\`\`\n`);
    const answer = ["<|next_start|>", ...blocks, "<|next_end|>"];
    if (!JSON.parse(body).stream)
      return response.end(
        JSON.stringify({ choices: [{ message: { content: answer.join("") }, finish_reason: "stop" }] }),
      );
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (content: string) =>
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    sent.length = 0;
    for (const part of answer) {
      for (const token of part.match(/.{1,4}/gs) ?? []) {
        await sleep(TOKEN_MS);
        send(token);
      }
      if (part.startsWith("```")) sent.push(now());
      await sleep(HUNK_PAUSE_MS);
    }
    return response.end(
      `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Notes when keys are pressed, and in which frame a mark or a hunk is there, milliseconds since 1970. */
const NOTES = `
  window.notes = { key: 0, mark: 0, hunks: [] };
  const now = () => performance.timeOrigin + performance.now();
  addEventListener("keydown", () => { window.notes.key = now(); window.notes.mark = 0; }, true);
  const look = () => {
    const root = document.querySelector(".editor-box")?.shadowRoot;
    const count = (selector) => root?.querySelectorAll(selector).length ?? 0;
    if (window.notes.mark === 0 && count(".cm-lint-marker-error") > 0) window.notes.mark = now();
    if (count(".cm-deletedChunk") > window.notes.hunks.length) window.notes.hunks.push(now());
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

type Notes = { key: number; mark: number; hunks: number[] };
const notesOf = (page: Page) => page.evaluate<Notes>("window.notes");

/** @param sent when the model sent the last token of each hunk */
export async function benchWorkshopPage(url: string, secret: string, app: string, sent: readonly number[]) {
  if (browserPath === undefined) return figure("the page", "not measured: no Chromium here (apt install chromium)");
  // The page has no WebGL here, and a browser without a graphics card draws no text by software GL.
  const browser = await openBrowser(browserPath, ["--use-angle=default"]);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    // Drawing the robot without a graphics card takes all processors.
    await page.route(/\/viewer-[^/]*\.js$/, (route) => route.abort());
    await page.addInitScript(NOTES);
    await page.goto(workshopLink(url, secret));
    await page
      .getByRole("button", { name: `Edit ${app}` })
      .first()
      .click();
    const text = page.getByRole("textbox", { name: `Text of ${app}/main.py` });
    await text.focus();
    report("keystroke to its mark in the editor", await keystrokes(page), MARK_MS);
    report("last token of a hunk to the hunk in the editor", await hunks(page, app, sent), HUNK_MS);
  } finally {
    await browser.close();
  }
}

function report(what: string, times: number[], limit: number): void {
  const p95 = quantile(times, 0.95);
  figure(what, `p50 ${median(times).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`, `p95 <= ${limit} ms`, p95 <= limit);
}

/** Ends the first line with a character that does not parse, and takes it back. */
async function keystrokes(page: Page): Promise<number[]> {
  const times: number[] = [];
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  for (let round = 0; round < ROUNDS; round += 1) {
    await until("no mark", 10_000, async () => (await page.locator(".cm-lint-marker-error").count()) === 0);
    await page.keyboard.press("=");
    await until("the mark", 10_000, async () => (await notesOf(page)).mark > 0);
    const { key, mark } = await notesOf(page);
    times.push(mark - key);
    await page.keyboard.press("Backspace");
  }
  return times;
}

async function hunks(page: Page, app: string, sent: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round * LINES.length < ROUNDS; round += 1) {
    await page.evaluate("window.notes.hunks = []");
    await page.getByRole("textbox", { name: `What to change in ${app}/main.py` }).fill("Mark the lines.");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Accept all" }).waitFor();
    const { hunks: shown } = await notesOf(page);
    times.push(...shown.map((time, at) => time - (sent[at] ?? 0)));
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await until("no hunk", 10_000, async () => (await page.locator(".cm-deletedChunk").count()) === 0);
  }
  return times;
}
