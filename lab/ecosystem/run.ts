// The part of npm run ecosystem that runs in a network of its own: hub and daemon, the SDK's surface, then the apps.
import { spawn } from "node:child_process";
import { startDaemon, until } from "../bench/daemon.ts";
import { runApps } from "./apps.ts";
import { certifyApps } from "./certify.ts";
import { compareCost } from "./cost.ts";
import { runPeer } from "./peer.ts";
import { DATA, VENV } from "./public-sdk.ts";
import { add, counts, section } from "./table.ts";
import { runThreads } from "./threads.ts";
import { runSurface, runVersions } from "./versions.ts";

const PORT = "8000";
/** Is played to the robot's microphone, again and again. */
const VOICE = "fixtures/recordings/speech.wav";
const parts = process.argv.slice(2);
const sdk = process.env.ECOSYSTEM_SDK;

/** @param url of the daemon */
async function surface(url: string) {
  section(`The public surface of reachy-mini ${sdk}`);
  for (const call of await runSurface(`${VENV}/bin/python`, url)) add(call);
}

/** The hub for development, with the apps of this dialect. */
async function startHub(): Promise<{ url: string; close(): void }> {
  const args = ["bin/robot-app-assistant.mjs", "hub", "--port", "0", "--seed", "fixtures/ecosystem"];
  const child = spawn(process.execPath, [...args, "--data-dir", `artifacts/ecosystem/hub-${process.pid}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const url = await until("the hub listens", 60_000, () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]);
  return { url, close: () => void child.kill("SIGTERM") };
}

if (parts.includes("surface") || parts.includes("apps")) {
  const hub = await startHub();
  const daemon = await startDaemon(DATA, ["--port", PORT, "--hub-url", hub.url, "--microphone", VOICE]);
  try {
    await daemon.awake();
    if (parts.includes("surface")) await surface(daemon.url);
    if (parts.includes("apps")) await runApps(daemon, hub.url);
  } finally {
    await daemon.stop();
    hub.close();
  }
}
if (parts.includes("certify")) await certifyApps();
if (parts.includes("versions")) await runVersions(parts.filter((part) => /^\d/.test(part)));
if (parts.includes("cost")) await compareCost();
if (parts.includes("threads")) await runThreads(parts.filter((part) => /^[a-z]+\d+$/.test(part)));
if (parts.includes("peer")) await runPeer(Number(process.env.ECOSYSTEM_MINUTES ?? 10));
const { ok, notHere, failed } = counts();
console.log(`\n${ok} ok, ${notHere} documented as not here, ${failed} failed.`);
process.exitCode = failed === 0 ? 0 : 1;
