import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/*
 * What clients, apps and servers fill is bounded by common/bounded.ts; the exceptions are here, each with its bound. A file that
 * begins to read somebody else's data, or a collection that begins to grow, fails these tests until it uses the module, or has a
 * line here.
 */
const ROOT = path.join(import.meta.dirname, "..");

/** Files that read data that somebody sends, without the module. */
const READERS: Record<string, string> = {
  "common/files/process-lock.ts": "the answer of a lock's holder, this user's own process, within a second",
  "daemon/apps/catalogue/hub-catalogue.ts": "spaces of a list, bounded by HUB_BOUNDS",
  "daemon/apps/details/app-verdict.ts": "a file of the hub, bounded by the size that is asked for",
  "daemon/apps/watch/app-logs.ts": "a log's own pieces of 16 KB, a turn each",
  "daemon/audio/devices/alsa.ts": "this machine's recorder in real time, and the last characters of its errors",
  "daemon/camera/worker/worker-frame-maker.ts": "one answer for each picture that was asked for",
  "daemon/http/rest/body-limit.ts": "counts bytes, keeps none",
  "daemon/http/rest/route.ts": "an answer's own pieces, each sent when the client has taken the one before",
  "daemon/http/routes/logs.ts": "a log's own pieces of 16 KB, a turn each",
  "daemon/robot-client/process/robot-process.ts": "the robot process, which sends 50 states a second",
  "daemon/robot-process/hardware/link/stream-link.ts": "hands bytes on; the parser keeps one packet",
  "daemon/robot-process/serve-robot.ts": "the main process, whose calls are bounded by the sockets' 32 a client",
  "daemon/test-robot/serve-test-robot.ts": "the tests of one app, line by line",
  "robot/rest/daemon-client.ts": "the daemon's own answers, bounded by boundedResponse",
};

/** Collections of classes that grow, without the module. */
const COLLECTIONS: Record<string, string> = {
  "daemon/apps/watch/log-files.ts #known": "one of each app that has a log",
  "daemon/apps/watch/log-files.ts #pending": "MAX_PENDING characters of an app; one runs at a time",
  "daemon/apps/watch/output.ts #partial": "MAX_LINE characters",
  "daemon/audio/capture/microphone.ts #feeds": "one a client of the audio socket",
  "daemon/audio/playback/speaker.ts #queues": "two a client of the audio socket",
  "daemon/http/access/rate-limit.ts #buckets": "MAX_ADDRESSES",
  "daemon/http/app-pages/app-pages.ts #ports": "one of each app that ran and has a page",
  "daemon/http/app-pages/app-pages.ts #servers": "one of each app that ran and has a page",
  "daemon/http/connections/connection-limits.ts #connections": "the limits that it enforces",
  "daemon/http/connections/connection-limits.ts #counts": "one of each address with connections",
  "daemon/http/connections/outgoing-queue.ts #waiting": "one of each name of a state",
  "daemon/http/connections/scope.ts #cleanups": "what one connection has opened",
  "daemon/http/connections/web-socket-endpoint.ts #clients": "streams of ConnectionLimits",
  "daemon/http/events/event-broadcaster.ts #backlog": "a number of events",
  "daemon/http/events/sse-fan-out.ts #streams": "streams of ConnectionLimits",
  "daemon/http/events/sse-fan-out.ts #text": "what one turn of the event loop sends",
  "daemon/http/metrics/prometheus.ts #counts": "one of each route, method and status",
  "daemon/http/routes/logs.ts #streams": "one of each app whose log is followed",
  "daemon/http/sockets/audio/audio-session.ts #listening": "the two tracks",
  "daemon/http/sockets/sdk/sdk-session.ts #reportedTypes": "MAX_REPORTED_TYPES",
  "daemon/http/sockets/sdk/sdk-socket.ts #clients": "streams of ConnectionLimits",
  "daemon/http/sockets/sdk/sdk-socket.ts #owners": "one of each setting",
  "daemon/robot-client/rpc/pending-calls.ts #pending": "32 a client of the sockets, and what the daemon itself asks",
  "daemon/robot-client/rpc/rpc-client.ts #kept": "one of each setting",
  "daemon/robot-client/rpc/rpc-client.ts #merged": "one of each method",
  "daemon/robot-client/scene-feed.ts #rates": "one of each camera and page",
};

const ROOMS = ["common", "daemon", "robot"];
const WATCHED = /^daemon\/(http|audio|robot-client|apps\/watch)\//;
const READS = /\.on\("(data|message|line|ping|readable)"|for await \(/;
const GROWS = /^ {2}(?:readonly )?(#?\w+)(?:: [^=\n]+)? = (?:\[\]|""|new (?:Map|Set|Array)\b)/gm;
const USES_MODULE = /from "(?:\.\.?\/)+(?:common\/)?bounded(?:-response)?\.ts"/;

const sources = ROOMS.flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file) && !/(^|\/)(testing|node_modules|dashboard)\//.test(file))
    .map((file) => ({ file: `${room}/${file}`, text: readFileSync(path.join(ROOT, room, file), "utf8") })),
);

test("whoever reads what others send bounds it by common/bounded.ts, or has a reason", () => {
  const found = sources.filter(({ text }) => READS.test(text) && !USES_MODULE.test(text)).map(({ file }) => file);
  expect(found.sort()).toEqual(Object.keys(READERS).sort());
});

test("whatever grows in the rooms that clients and apps reach states its bound", () => {
  const found = sources
    .filter(({ file }) => WATCHED.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(GROWS)].map(([, name]) => `${file} ${name}`));
  expect(found.sort()).toEqual(Object.keys(COLLECTIONS).sort());
});
