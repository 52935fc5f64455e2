import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NO_PACKAGE_INDEX } from "../../common/machine/offline.ts";
import { DEADLINE_MS } from "../../common/testing/deadline.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { startAssistant } from "../catalogue/testing/run-assistant.ts";
import { spawnDaemon } from "../runner/daemon/spawn-daemon.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { type Fingerprint, fingerprintsIn, isListed, listedFields, tellingFields } from "./fingerprint.ts";

const APP = "shows_fingerprint";
const FOLDER = resolve("fixtures/apps", APP);
/** Requirements whose test runs start the app about ten times, without the trace instrument in most. */
const ONLY = ["LIFE-003", "LIFE-009", "LIFE-011", "RES-002"];
/** Starts by the daemon. */
const STARTS = Number(process.env.FINGERPRINT_STARTS ?? 3);
const { TERM } = process.env;
/** As a service has none: Python sets one then, for itself and what it starts. */
const NO_LOCALE = { LANG: undefined, LANGUAGE: undefined, LC_ALL: undefined, LC_CTYPE: undefined };
/** The variables of a robot's user, who starts the daemon: no others of the shell that runs this. */
const OF_USER = { PATH: "/usr/local/bin:/usr/bin:/bin", USER: "robot", LOGNAME: "robot", TERM, ...NO_LOCALE };

async function fingerprintsOfCertification(): Promise<Fingerprint[]> {
  const out = temporaryFolder("robot-fingerprint-");
  const only = ONLY.flatMap((id) => ["--only", id]);
  const certifying = startAssistant(["certify", FOLDER, "--out", out, ...only], { ...process.env, ...NO_LOCALE });
  expect([await certifying.exit, certifying.err()]).toEqual([0, expect.anything()]);
  const { testRuns } = JSON.parse(await readFile(join(out, "verdict.json"), "utf8")) as Verdict;
  return testRuns.flatMap(({ log }) => fingerprintsIn(log.map(({ text }) => text)));
}

async function fingerprintsOfDaemon(): Promise<Fingerprint[]> {
  const dataDir = temporaryFolder("robot-daemon-");
  const command = ["bin/robot-daemon.mjs", "install", FOLDER, "--data-dir", dataDir];
  execFileSync(process.execPath, command, { stdio: "ignore" });
  const ofShell = Object.fromEntries(
    Object.keys({ ...process.env, ...NO_PACKAGE_INDEX }).map((name) => [name, undefined]),
  );
  const env = { ...ofShell, ...OF_USER, HOME: temporaryFolder("robot-home-") };
  const options = { dataDir, startupApp: null, wakeUpOnStart: true, gracePeriod: 5, warmStart: true, env };
  const daemon = await spawnDaemon(options);
  onTestFinished(() => daemon.close());
  const post = async (path: string) => expect((await fetch(daemon.url + path, { method: "POST" })).ok).toBe(true);
  const lines = async () => (await (await fetch(`${daemon.url}/api/apps/logs/${APP}?format=text`)).text()).split("\n");
  const seen: Fingerprint[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    await post(`/api/apps/start-app/${APP}`);
    const found = await waitFor(DEADLINE_MS, "the app prints what it sees", async () => {
      return fingerprintsIn(await lines())[start] ?? null;
    });
    seen.push(found);
    await post("/api/apps/stop-current-app");
  }
  return seen;
}

test("what an app sees in a certification and under the daemon differs only in what the page lists", async () => {
  const [certified, hosted] = [await fingerprintsOfCertification(), await fingerprintsOfDaemon()];
  expect(hosted).toHaveLength(STARTS);
  expect(certified.length).toBeGreaterThanOrEqual(8);
  const listed = listedFields(await readFile("docs/certifying-trust.md", "utf8"));
  const telling = tellingFields(certified, hosted);
  const shown = telling
    .filter((field) => !isListed(listed, field))
    .map((field) => [field, certified.map((seen) => seen[field]), hosted.map((seen) => seen[field])]);
  expect(shown).toEqual([]);
});
