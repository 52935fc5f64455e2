import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { After, Status, setDefaultTimeout, setWorldConstructor, World } from "@cucumber/cucumber";
import type { AppStatus } from "../../robot/wire/apps.ts";
import { startDaemonInProcess } from "../runner/daemon-in-process.ts";
import type { DaemonUnderTest, DaemonWish } from "../runner/daemon-under-test.ts";
import { connectToDaemon } from "../runner/running-daemon.ts";
import { spawnDaemon } from "../runner/spawned-daemon.ts";

/** Where `npm test` installed the fixture apps, with the product's own installer. */
const TEST_VENV = join(process.cwd(), "artifacts/test-data/apps_venv");

/** An answer of the daemon. */
export interface Answer {
  status: number;
  body: unknown;
}

/** What the steps of one scenario share. */
export class Scene extends World {
  spawn = process.env.FEATURES_TARGET === "spawn";
  readonly testVenv = TEST_VENV;
  readonly dataDir = mkdtempSync(join(tmpdir(), "robot-feature-"));
  readonly daemons: DaemonUnderTest[] = [];
  answers: Answer[] = [];
  /** Process id of the app that the scenario is about. */
  appPid = 0;
  /** performance.now() of the last request. */
  requestedAt = 0;

  get daemon(): DaemonUnderTest {
    const daemon = this.daemons.at(-1);
    if (!daemon) throw new Error("the scenario has no daemon yet");
    return daemon;
  }

  get answer(): Answer {
    const answer = this.answers.at(-1);
    if (!answer) throw new Error("the scenario made no request yet");
    return answer;
  }

  async startDaemon(wish: Partial<DaemonWish> = {}): Promise<void> {
    const target = process.env.FEATURES_TARGET ?? "";
    const full = { dataDir: this.dataDir, startupApp: null, wakeUpOnStart: true, gracePeriod: 1, ...wish };
    if (target.startsWith("http")) {
      this.daemons.push(await connectToDaemon(target));
      return;
    }
    mkdirSync(this.dataDir, { recursive: true });
    if (this.daemons.length === 0) symlinkSync(TEST_VENV, join(this.dataDir, "apps_venv"));
    this.daemons.push(await (this.spawn ? spawnDaemon(full) : startDaemonInProcess(full)));
  }

  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.daemon.url}${path}`, {
      method,
      signal: AbortSignal.timeout(20_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  }

  async get<T>(path: string): Promise<T> {
    return (await this.request("GET", path)).body as T;
  }

  slot(): Promise<AppStatus | null> {
    return this.get("/api/apps/current-app-status");
  }
}

setWorldConstructor(Scene);
setDefaultTimeout(60_000);

After(async function (this: Scene, { result }) {
  if (result?.status === Status.FAILED && this.daemons.length > 0)
    this.attach(this.daemons.map((daemon) => daemon.output()).join("\n"), "text/plain");
  for (const daemon of this.daemons) await daemon.close();
  rmSync(this.dataDir, { recursive: true, force: true });
});
