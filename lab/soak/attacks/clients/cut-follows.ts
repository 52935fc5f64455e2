// Streams that are cut at any moment leave nothing behind.
import { until } from "../../../bench/daemon.ts";
import { countDescriptors, residentMegabytes } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import { getRequest, openTcpConnection, sleep } from "../../attack-tools.ts";

const FOLLOWS = 600;
const REQUEST = getRequest("/api/apps/logs/brief_app?follow=true");

export default {
  title: `${FOLLOWS} followed logs, cut after 0 to 20 ms`,
  async run({ daemon, row }) {
    const cut = async () => {
      for (let i = 0; i < FOLLOWS; i += 1) {
        const socket = openTcpConnection(daemon.url, REQUEST);
        await sleep(i % 20);
        socket.destroy();
      }
    };
    await fetch(`${daemon.url}/healthz`).then((answer) => answer.text());
    const before = countDescriptors(daemon.pid);
    await cut();
    const memory = residentMegabytes(daemon.pid);
    await cut();
    const growth = residentMegabytes(daemon.pid) - memory;
    await until("descriptors are closed", 10_000, () => countDescriptors(daemon.pid) <= before + 2).catch(() => {});
    const after = countDescriptors(daemon.pid);
    row("descriptors", `${before} before, ${after} after`, "no more", after <= before + 2);
    row("memory of the second round", `+${growth.toFixed(1)} MB`, "at most +15 MB", growth <= 15);
  },
} satisfies Attack;
