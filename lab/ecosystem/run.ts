// The part of npm run ecosystem that runs in a network of its own: hub and daemon, the SDK's surface, then the apps.
import { resolve } from "node:path";
import { startHub } from "../../fixtures/hub/server/hub.ts";
import { startDaemon } from "../bench/daemon.ts";
import { section } from "../bench/figures.ts";
import { runApps } from "./apps.ts";
import { certifyApps } from "./certify.ts";
import { compareCost } from "./cost.ts";
import { runPeer } from "./peer.ts";
import { DATA, VENV, VOICE } from "./public-sdk.ts";
import { add, counts } from "./table.ts";
import { runThreads } from "./threads.ts";
import { runSurface, runVersions } from "./versions.ts";

const PORT = "8000";
const parts = process.argv.slice(2);
const sdk = process.env.ECOSYSTEM_SDK;

/** @param url of the daemon */
async function surface(url: string) {
  section(`The public surface of reachy-mini ${sdk}`);
  for (const call of await runSurface(`${VENV}/bin/python`, url)) add(call);
}

if (parts.includes("surface") || parts.includes("apps")) {
  const hub = await startHub({
    dataDir: resolve(`artifacts/ecosystem/hub-${process.pid}`),
    port: 0,
    seed: resolve("fixtures/ecosystem"),
    searchPath: process.env.PATH ?? "",
    now: Date.now,
    onDefect: console.error,
  });
  const daemon = await startDaemon(DATA, ["--port", PORT, "--hub-url", hub.url, "--microphone", VOICE]);
  try {
    await daemon.awake();
    if (parts.includes("surface")) await surface(daemon.url);
    if (parts.includes("apps")) await runApps(daemon, hub.url);
  } finally {
    await daemon.stop();
    await hub.close();
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
