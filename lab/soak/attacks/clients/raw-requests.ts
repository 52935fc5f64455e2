// Requests that two programs could read differently, odd ones, and large ones: each is refused or read in one way.
import type { Attack } from "../../attack.ts";
import { openTcpConnection, sleep } from "../../attack-tools.ts";

const HOST = "host: localhost\r\n";
const SMUGGLED = "GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n";
const PUT = `PUT /api/apps/startup-app HTTP/1.1\r\n${HOST}content-type: application/json\r\n`;
/** The largest JSON that a body may be, as deep as it can be. */
const DEEP = "[".repeat(31_000) + "]".repeat(31_000);

const REQUESTS: [what: string, text: string, statuses: string][] = [
  [
    "Content-Length and Transfer-Encoding",
    `${PUT}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    "400",
  ],
  ["two Content-Lengths", `${PUT}content-length: 2\r\ncontent-length: 40\r\n\r\n{}${SMUGGLED}`, "400"],
  ["a list of Content-Lengths", `${PUT}content-length: 2, 40\r\n\r\n{}${SMUGGLED}`, "400"],
  ["a signed Content-Length", `${PUT}content-length: +2\r\n\r\n{}${SMUGGLED}`, "400"],
  ["an unknown Transfer-Encoding", `${PUT}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`, "400"],
  ["chunked, then identity", `${PUT}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`, "400"],
  ["a space before the colon", `GET /healthz HTTP/1.1\r\n${HOST}content-length : 40\r\n\r\n${SMUGGLED}`, "400"],
  ["a folded header", `GET /healthz HTTP/1.1\r\n${HOST}x: a\r\n content-length: 40\r\n\r\n`, "400"],
  ["a folded Host", "GET /healthz HTTP/1.1\r\nhost:\r\n localhost\r\n\r\n", "400"],
  ["a size of a chunk that is no number", `${PUT}transfer-encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n`, "400"],
  ["a size of a chunk that overflows", `${PUT}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`, "400"],
  [
    "a long chunk extension",
    `${PUT}transfer-encoding: chunked\r\n\r\n2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    "413",
  ],
  ["a bare CR", `GET /healthz HTTP/1.1\r\n${HOST}x: a\rcontent-length: 40\r\n\r\n`, "400"],
  ["a zero byte", `GET /healthz HTTP/1.1\r\n${HOST}x: a\0b\r\n\r\n`, "400"],
  ["two Hosts", `GET /healthz HTTP/1.1\r\n${HOST}host: evil.example\r\n\r\n`, "400"],
  ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", "400"],
  ["no Host, HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", "421"],
  ["another host in the address", `GET http://evil.example/healthz HTTP/1.1\r\n${HOST}\r\n`, "421"],
  ["this host in the address", `GET http://localhost/healthz HTTP/1.1\r\n${HOST}\r\n`, "200"],
  ["CONNECT", `CONNECT evil.example:80 HTTP/1.1\r\n${HOST}\r\n`, "closed"],
  ["TRACE", `TRACE /healthz HTTP/1.1\r\n${HOST}\r\n`, "405"],
  ["OPTIONS *", `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, "404"],
  ["an unknown method", `JUMP /healthz HTTP/1.1\r\n${HOST}\r\n`, "400"],
  ["a method in small letters", `get /healthz HTTP/1.1\r\n${HOST}\r\n`, "400"],
  ["HTTP/0.9", "GET /healthz\r\n\r\n", "400 or 421"],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"],
  [
    "HTTP/2 after HTTP/1.1",
    `GET /healthz HTTP/1.1\r\n${HOST}connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n`,
    "200",
  ],
  [
    "another protocol, then one more request",
    `GET /healthz HTTP/1.1\r\n${HOST}connection: upgrade\r\nupgrade: x\r\ncontent-length: 2\r\n\r\n{}GET /healthz HTTP/1.1\r\n${HOST}\r\n`,
    "200 200",
  ],
  [
    "a WebSocket behind another request",
    `GET /healthz HTTP/1.1\r\n${HOST}\r\nGET /ws/sdk HTTP/1.1\r\n${HOST}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    "closed",
  ],
  ["100 KB of headers", `GET /healthz HTTP/1.1\r\n${HOST}x: ${"x".repeat(100_000)}\r\n\r\n`, "431"],
  ["2,000 headers", `GET /healthz HTTP/1.1\r\n${HOST}${"x: y\r\n".repeat(2500)}\r\n`, "200 or 431"],
  ["an address of 100 KB", `GET /${"x".repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`, "431"],
  ["bytes that are no UTF-8", `GET /%ff%fe HTTP/1.1\r\n${HOST}\r\n`, "404 or 422"],
  ["a path out of the folder", `GET /../../../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`, "404"],
  ["the same, encoded", `GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n${HOST}\r\n`, "404"],
  ["an expectation", `GET /healthz HTTP/1.1\r\n${HOST}expect: a-miracle\r\n\r\n`, "417"],
  ["JSON that is 31,000 deep", `${PUT}content-length: ${DEEP.length}\r\n\r\n${DEEP}`, "422"],
  ["a body of 100 KB", `${PUT}content-length: 100000\r\n\r\n${"1".repeat(100_000)}`, "413"],
  ["a body of 100 KB that is not sent", `${PUT}content-length: 100000\r\n\r\n`, "413"],
  [
    "a body of 100 KB in chunks",
    `${PUT}transfer-encoding: chunked\r\n\r\n${`fa00\r\n${"1".repeat(64_000)}\r\n`.repeat(2)}0\r\n\r\n`,
    "413",
  ],
  [
    "chunks without end",
    `${PUT}transfer-encoding: chunked\r\n\r\n${`fa00\r\n${"1".repeat(64_000)}\r\n`.repeat(2)}`,
    "413",
  ],
  ["a compressed body", `${PUT}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`, "422"],
];

/** The statuses of all answers until nothing more comes. */
async function statusesOf(url: string, text: string) {
  const socket = openTcpConnection(url, text);
  let [answer, last] = ["", performance.now() + 15_000];
  socket.on("data", (data) => {
    answer += data;
    last = performance.now();
  });
  while (!socket.closed && performance.now() - last < 2000) await sleep(50);
  socket.destroy();
  const statuses = answer.match(/(?<=HTTP\/1\.1 )\d{3}/g)?.filter((status) => status !== "100") ?? [];
  return statuses.length === 0 ? "closed" : statuses.join(" ");
}

export default {
  title: "ambiguous, odd and large requests",
  async run({ daemon, row }) {
    for (const [what, text, wanted] of REQUESTS) {
      const seen = await statusesOf(daemon.url, text);
      row(what, seen, wanted, wanted.split(" or ").includes(seen));
    }
    const socket = await daemon.socket("/ws/sdk");
    const answered = new Promise(
      (resolve) => void socket.on("message", (data) => String(data).includes("error") && resolve("error")),
    );
    socket.send(DEEP);
    const answer = await Promise.race([answered, sleep(5000).then(() => "none")]);
    row("a message that is 31,000 deep", String(answer), "error", answer === "error");
    socket.terminate();
  },
} satisfies Attack;
