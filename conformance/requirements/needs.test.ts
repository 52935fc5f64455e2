import { expect, test } from "vitest";
import { REACHY_MINI } from "../../robot/dialects/dialects.ts";
import { needIn } from "./needs.ts";
import { app, judged, run } from "./testing/judged.ts";

test.each([
  [
    "openai.OpenAIError: The api_key client option must be set either by passing api_key to the client or by setting the OPENAI_API_KEY environment variable",
    "OPENAI_API_KEY",
  ],
  ["KeyError: 'ELEVENLABS_API_KEY'", "ELEVENLABS_API_KEY"],
  ["HF_TOKEN is not set, giving up", "HF_TOKEN"],
  ["httpx.ConnectError: [Errno -3] Temporary failure in name resolution", "the network"],
  ["huggingface_hub.errors.LocalEntryNotFoundError: An error happened", "the network"],
  ["OSError: PortAudio library not found", "the system library PortAudio"],
  [
    "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
    "the system library libGL.so.1",
  ],
  ["sounddevice.PortAudioError: Error querying device -1", "a sound device"],
  ["RuntimeError: Could not open camera 0", "a camera of its own"],
  [
    "ConnectionError: HTTPConnectionPool: Connection refused: localhost:11434",
    "a server at port 11434 of this machine",
  ],
])("%s needs %s", (line, what) => {
  expect(needIn(["Traceback", line, "bye"])?.what).toBe(what);
});

test.each(["KeyError: 'speed'", "ready, OPENAI_API_KEY found in the settings", "Connection refused", ""])(
  "%j names no need",
  (line) => {
    expect(needIn([line])).toBeNull();
  },
);

const ended = { endRequestedAt: null, endCause: "by-itself", exit: { code: 1, signal: null } } as const;
const failing = (stderrTail: string[]) => [run({ ...ended, exitedAt: 3, stderrTail })];

test("an app that ends because it lacks something is inconclusive, with the need", () => {
  const { status, reason } = judged("LIFE-013", { appRuns: failing(["KeyError: 'OPENAI_API_KEY'"]) });
  expect([status, reason]).toEqual([
    "inconclusive",
    expect.stringMatching(/^needs: OPENAI_API_KEY\. .*--secret OPENAI_API_KEY/),
  ]);
  expect(judged("LIFE-013", { appRuns: failing(["KeyError: 'speed'"]) }).status).toBe("fail");
});

test("an app that says so and goes on is judged as any other", () => {
  const stderrTail = ["OPENAI_API_KEY is not set: the app stays silent"];
  expect(judged("LIFE-013", { appRuns: [run({ stderrTail })] }).status).toBe("pass");
  expect(judged("LIFE-003", { appRuns: [run({ stderrTail, forceStopped: true })] }).status).toBe("fail");
});

test("what the contract of another dialect does not ask for is a warning there, with what to do", () => {
  const loss = { cpu: 0, reconnected: false, ended: false };
  const appRuns = [run(), run({ testRun: "daemon-lost" }), run({ testRun: "daemon-silent" })];
  const evidence = { appRuns, facts: { daemonLosses: { "daemon-lost": loss, "daemon-silent": loss } } };
  expect(judged("RES-001", evidence)).toMatchObject({ status: "fail", level: "MUST" });
  const { status, level, findings } = judged("RES-001", { ...evidence, app: { ...app, dialect: REACHY_MINI.id } });
  expect([status, level, findings[0]?.message]).toEqual([
    "warn",
    "SHOULD",
    expect.stringContaining("never sets stop_event"),
  ]);
});
