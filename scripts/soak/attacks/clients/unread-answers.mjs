// Answers that nobody takes are bounded over all connections, and a connection that takes nothing is closed.
import {
  countClosed,
  GET_LONG_LOG,
  openUnread,
  reportWatch,
  sleep,
  timed,
  watchDaemon,
  writeLongLog,
} from "../../attack-tools.mjs";

const CONNECTIONS = 658;

/** @type {import("../../attack.mjs").Attack} */
export default {
  title: `${CONNECTIONS} connections that ask for 3.6 MB and never read`,
  async run({ daemon, dataDir, row }) {
    const removeLog = writeLongLog(dataDir);
    const stopWatching = watchDaemon(daemon);
    const sockets = openUnread(daemon.url, CONNECTIONS, GET_LONG_LOG);
    await sleep(30_000);
    reportWatch(row, await stopWatching(), 150);
    const closed = await countClosed(sockets);
    row("connections closed after 30 s", closed, `all ${CONNECTIONS}`, closed === CONNECTIONS);
    openUnread(daemon.url, CONNECTIONS, GET_LONG_LOG);
    await sleep(300);
    const ms = await timed(() => daemon.stop());
    row("SIGTERM to exit meanwhile", `${(ms / 1000).toFixed(1)} s`, "at most 5 s", ms <= 5000);
    removeLog();
  },
};
