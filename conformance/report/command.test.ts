import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runProgram } from "../../assistant/program.ts";
import { fakeTerminal } from "../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { exampleApp, exampleProblem, exampleRun } from "../catalogue/testing/example-run.ts";
import { builtPage } from "../outputs/page-file.ts";
import { reportCommand } from "./command.ts";
import { exampleVerdict } from "./testing/sample.ts";
import { renderReport } from "./write-report.ts";

let folder = "";

beforeEach(async () => {
  folder = temporaryFolder("report-command-");
  await writeFile(join(folder, "verdict.json"), JSON.stringify(exampleVerdict()));
});

async function report(...args: string[]) {
  const terminal = fakeTerminal({ cwd: folder });
  await runProgram(["report", ...args], "0.0.0", terminal, { report: async () => reportCommand });
  return terminal.written;
}

test("the page is written beside the verdict, or to --out", async () => {
  const page = renderReport(exampleVerdict(), await builtPage("report"));
  const isPage = async (name: string) => (await readFile(join(folder, name), "utf8")) === page;
  expect(await report("verdict.json")).toMatchObject({ out: `${join(folder, "report.html")}\n`, err: "", code: 0 });
  expect(await isPage("report.html")).toBe(true);
  expect((await report("verdict.json", "--out", "other.html")).out).toBe(`${join(folder, "other.html")}\n`);
  expect(await isPage("other.html")).toBe(true);
});

test("a file that is not a verdict, a missing file and an invalid output path exit with code 2", async () => {
  await writeFile(join(folder, "odd.json"), "{}");
  expect(await report("odd.json")).toMatchObject({
    code: 2,
    err: expect.stringContaining("odd.json is not a verdict"),
  });
  expect(await report("none.json")).toMatchObject({
    code: 2,
    err: expect.stringContaining("none.json cannot be read"),
  });
  const nowhere = await report("verdict.json", "--out", "no/such/folder/report.html");
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining("cannot be written") });
});

test("--json prints the comparison of two catalogues, and is refused without one", async () => {
  const { format, ...rest } = exampleRun([exampleApp("app", [exampleProblem()])]);
  // JSON has no order of keys.
  await writeFile(join(folder, "catalogue.json"), JSON.stringify({ ...rest, format }));
  await writeFile(join(folder, "old.json"), JSON.stringify(exampleRun([exampleApp("app")])));
  const compared = await report("catalogue.json", "--against", "old.json", "--json");
  expect(compared).toMatchObject({ err: "", code: 0 });
  expect(JSON.parse(compared.out).worse).toMatchObject([{ name: "app", broke: ["LIFE-001"] }]);
  const refused = (message: string) => ({ code: 2, out: expect.stringContaining(message) });
  expect(await report("catalogue.json", "--json")).toMatchObject(refused("add --against OLD.json"));
  const message = "this file is the verdict of one app";
  expect(await report("verdict.json", "--json")).toMatchObject(refused(message));
  const { code, err } = await report("verdict.json", "--against", "verdict.json");
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
