// A connection has one request answered at a time and few that wait; work ends when the connection is gone.
import { processorSeconds } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import {
  GET_LONG_LOG,
  openTcpConnection,
  openUnread,
  reportWatch,
  sleep,
  timed,
  watchDaemon,
  writeLongLog,
} from "../../attack-tools.ts";

const SMALL = GET_LONG_LOG.repeat(Math.ceil(14_000 / GET_LONG_LOG.length));
const LARGE = GET_LONG_LOG.repeat(Math.ceil(77_000 / GET_LONG_LOG.length));

export default {
  title: "long logs, asked for again and again in one write, and connections that close before the answer",
  async run({ daemon, dataDir, row }) {
    const removeLog = writeLongLog(dataDir);
    const stopWatching = await watchDaemon(daemon);
    for (const text of [SMALL, LARGE]) {
      const socket = openTcpConnection(daemon.url, text).resume();
      await sleep(5000);
      socket.destroy();
    }
    const sockets = openUnread(daemon.url, 10, SMALL);
    await sleep(1000);
    for (const socket of sockets) socket.destroy();
    await sleep(1000);
    const before = processorSeconds(daemon.pid);
    await sleep(5000);
    const work = processorSeconds(daemon.pid) - before;
    row("processor time of 5 s, after they closed", `${work.toFixed(1)} s`, "at most 1 s", work <= 1);
    reportWatch(row, await stopWatching());
    openUnread(daemon.url, 10, LARGE);
    await sleep(300);
    const ms = await timed(() => daemon.stop());
    row("SIGTERM to exit meanwhile", `${(ms / 1000).toFixed(1)} s`, "at most 5 s", ms <= 5000);
    removeLog();
  },
} satisfies Attack;
