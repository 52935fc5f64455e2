// What waits for all clients together is bounded, also where each of them is allowed some.
import type { Attack } from "../../attack.ts";
import { getRequest, openUnread, reportWatch, sleep, watchDaemon, writeLongLog } from "../../attack-tools.ts";

const STREAMS = 600;

export default {
  title: `${STREAMS} clients follow a log and all events, never read, while an app prints without end`,
  async run({ daemon, dataDir, seconds, row }) {
    const removeLog = writeLongLog(dataDir);
    const stopWatching = await watchDaemon(daemon);
    const paths = [
      "/api/events",
      "/api/apps/logs/output_flood?follow=true",
      "/api/apps/logs/attacked_app?follow=true&lines=5000",
    ];
    const streams = paths.flatMap((path) => openUnread(daemon.url, STREAMS / paths.length, getRequest(path)));
    await daemon.post("/api/apps/start-app/output_flood");
    await sleep(seconds * 1000);
    reportWatch(row, await stopWatching(), 200);
    for (const stream of streams) stream.destroy();
    removeLog();
  },
} satisfies Attack;
