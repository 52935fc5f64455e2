// Answers that nobody takes are bounded over all connections, and a connection that takes nothing is closed.
import { countDescriptors } from "../../../bench/processes.ts";
import type { Attack } from "../../attack.ts";
import { GET_LONG_LOG, openUnread, reportWatch, sleep, timed, watchDaemon, writeLongLog } from "../../attack-tools.ts";

const CONNECTIONS = 658;

export default {
  title: `${CONNECTIONS} connections that ask for 3.6 MB and never read`,
  async run({ daemon, dataDir, row }) {
    const removeLog = writeLongLog(dataDir);
    const before = countDescriptors(daemon.pid);
    const stopWatching = await watchDaemon(daemon);
    const sockets = openUnread(daemon.url, CONNECTIONS, GET_LONG_LOG);
    // One log is read after the other, which takes up to 70 s on a busy machine; the last answer has 30 s to be read.
    await sleep(110_000);
    reportWatch(row, await stopWatching(), 150);
    const open = Math.max(0, countDescriptors(daemon.pid) - before);
    row("of these connections open after 110 s", open, "at most 10", open <= 10);
    for (const socket of sockets) socket.destroy();
    openUnread(daemon.url, CONNECTIONS, GET_LONG_LOG);
    await sleep(300);
    const ms = await timed(() => daemon.stop());
    row("SIGTERM to exit meanwhile", `${(ms / 1000).toFixed(1)} s`, "at most 5 s", ms <= 5000);
    removeLog();
  },
} satisfies Attack;
