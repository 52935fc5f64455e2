import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { PageOpener } from "./open-page.ts";

/** Opens a page with a program that writes its arguments; returns them. */
async function open(url: string) {
  const folder = temporaryFolder("robot-open-page-");
  const browser = path.join(folder, "browser");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$*" > '${folder}/arguments'\n`);
  chmodSync(browser, 0o755);
  const opener = new PageOpener({ PATH: process.env.PATH, BROWSER: browser });
  expect(await opener.open(url)).toBe(true);
  const given = path.join(folder, "arguments");
  await waitFor(DEADLINE_MS, "the browser runs", () => existsSync(given) && statSync(given).size > 0);
  return { opener, given: readFileSync(given, "utf8") };
}

test("a link with a secret is no argument of the browser, but in a file that only this user can read, until it is closed", async () => {
  const link = "http://127.0.0.1:8000/#workshop=secret</script>";
  const { opener, given } = await open(link);
  expect(given).toMatch(/^file:\/\/.*open\.html$/);
  expect(given).not.toContain("secret");
  const file = fileURLToPath(given);
  expect([statSync(path.dirname(file)).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  const [, target = ""] = /location\.replace\((".*?")\)/.exec(readFileSync(file, "utf8")) ?? [];
  expect(JSON.parse(target)).toBe(link);
  expect(target).not.toContain("<");
  await opener.close();
  expect(existsSync(path.dirname(file))).toBe(false);
});

test("a link without a secret is opened as it is", async () => {
  expect((await open("http://127.0.0.1:8000/")).given).toBe("http://127.0.0.1:8000/");
});

test("a browser that does not return is left open", async () => {
  const folder = temporaryFolder("robot-open-page-");
  const browser = path.join(folder, "browser");
  writeFileSync(browser, `#!/bin/sh\necho $$ > '${folder}/pid'\nexec sleep 600\n`, { mode: 0o755 });
  const opener = new PageOpener({ PATH: process.env.PATH, BROWSER: browser });
  expect(await opener.open("http://127.0.0.1:8000/", 1)).toBe(true);
  const file = path.join(folder, "pid");
  await waitFor(DEADLINE_MS, "the browser runs", () => existsSync(file) && statSync(file).size > 0);
  expect(process.kill(Number(readFileSync(file, "utf8")), "SIGKILL")).toBe(true);
});

test("a program that cannot be started opens nothing", async () => {
  expect(await new PageOpener({ BROWSER: "/no/such/program" }).open("http://127.0.0.1:8000/")).toBe(false);
});
