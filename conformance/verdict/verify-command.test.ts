import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../assistant/program.ts";
import type { Terminal } from "../../assistant/terminal.ts";
import { fakeTerminal } from "../../assistant/testing/fake-terminal.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { isProjectFile } from "../../daemon/apps/install/fetch/digest.ts";
import { writeOutputs } from "../outputs/write-outputs.ts";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { dirHashOf } from "./dir-hash.ts";
import { sealStatement } from "./signing.ts";
import type { statementOf } from "./statement.ts";
import type { Outcome, Verdict } from "./verdict.ts";
import { verifyCommand } from "./verify-command.ts";

const SOURCE = "fixtures/apps/hello_robot";

/** A folder with an app, its signed verdict and the public key. */
async function signed(
  outcomes: Record<string, Outcome>,
  changes: (verdict: Verdict) => Verdict = (verdict) => verdict,
) {
  const folder = temporaryFolder("robot-verify-test-");
  const app = join(folder, "hello_robot");
  // Without the folders that builds of other tests leave there, which no digest counts.
  cpSync(SOURCE, app, { recursive: true, filter: (file) => isProjectFile(relative(SOURCE, file)) });
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(join(folder, "pub.pem"), publicKey.export({ type: "spki", format: "pem" }));
  const verdict = { ...exampleVerdict(outcomes), app: "hello_robot", dirHash: await dirHashOf(app) };
  await writeOutputs(changes(verdict), folder, privateKey);
  const verify = async (...args: string[]) => {
    const terminal = fakeTerminal({ cwd: folder, env: process.env });
    const command = { verify: async () => (within: Terminal) => verifyCommand(within, "0.0.0") };
    await runProgram(["verify", "verdict.intoto.jsonl", "--key", "pub.pem", ...args], "0.0.0", terminal, command);
    return terminal.written;
  };
  return { folder, app, verify };
}

test("a conformant verdict about these files is relied on", async () => {
  const { verify } = await signed({ "LIFE-001": "pass" });
  const { code, out } = await verify("--app", "hello_robot", "--require", "conformant");
  expect([code, out]).toEqual([0, expect.stringContaining("hello_robot is conformant by suite 0.0.0")]);
});

test("--json writes one object, with what the verdict says and what is wrong", async () => {
  const { folder, app, verify } = await signed({ "LIFE-001": "pass" });
  const { code, out } = await verify("--app", "hello_robot", "--json");
  const said = { app: "hello_robot", verdict: "conformant", suite: "0.0.0", dirHash: await dirHashOf(app) };
  expect([code, JSON.parse(out)]).toMatchObject([0, { status: "verified", ...said, problems: [] }]);
  writeFileSync(join(app, "hello_robot/main.py"), "");
  const refused = await verify("--app", "hello_robot", "--json");
  const problems = [expect.stringContaining("other files")];
  expect([refused.code, JSON.parse(refused.out)]).toMatchObject([1, { status: "refused", ...said, problems }]);
  writeFileSync(
    join(folder, "pub.pem"),
    generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }),
  );
  const unsigned = JSON.parse((await verify("--json")).out);
  expect(unsigned).toEqual({ status: "refused", problems: [expect.stringContaining("NOT signed by pub.pem")] });
});

test("changed files, a changed verdict.json and a changed statement are refused", async () => {
  const { folder, app, verify } = await signed({ "LIFE-001": "pass" });
  writeFileSync(join(app, "hello_robot/main.py"), "");
  expect(await verify("--app", "hello_robot")).toMatchObject({ code: 1, out: expect.stringContaining("other files") });
  const verdict = join(folder, "verdict.json");
  writeFileSync(verdict, readFileSync(verdict, "utf8").replace("hello_robot", "other_robot"));
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining("NOT the verdict that was signed") });
  const file = join(folder, "verdict.intoto.jsonl");
  const envelope = JSON.parse(readFileSync(file, "utf8"));
  const statement = String(Buffer.from(envelope.payload, "base64")).replace("hello_robot", "other_robot");
  writeFileSync(file, JSON.stringify({ ...envelope, payload: Buffer.from(statement).toString("base64") }));
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining("NOT signed by pub.pem") });
});

test("--require conformant refuses what is not, and old suites; the signature alone is good", async () => {
  const failed = await signed({ "LIFE-001": "fail" });
  expect((await failed.verify()).code).toBe(0);
  const { code, out } = await failed.verify("--require", "conformant");
  expect([code, out]).toEqual([1, expect.stringContaining("The app is not-conformant: LIFE-001.")]);
  const warned = await signed({ "RES-004": "warn", "LIFE-001": "pass" });
  expect((await warned.verify("--require", "conformant")).code).toBe(0);
  const newer = await warned.verify("--require", "conformant", "--suite", "0.1.0");
  expect(newer).toMatchObject({ code: 1, out: expect.stringContaining("0.1.0 or newer is required") });
});

test.each([
  ["none", "none", 1, "bubblewrap"],
  ["bubblewrap", "none", 1, "the machine's network"],
  ["none", "namespace", 1, "bubblewrap"],
  ["bubblewrap", "namespace", 0, "The signature is good"],
] as const)("--require isolated, sandbox %s, network %s: exit code %i", async (sandbox, network, code, text) => {
  const { verify } = await signed({ "LIFE-001": "pass" }, (verdict) => ({
    ...verdict,
    isolation: { sandbox, network, reason: null },
  }));
  expect(await verify("--require", "isolated")).toMatchObject({ code, out: expect.stringContaining(text) });
});

test("the digest is the one that standard tools compute", async () => {
  const { app } = await signed({ "LIFE-001": "pass" });
  const script =
    "find . -type f | cut -c3- | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 -r sha256sum -- | sha256sum | cut -f1 -d' '";
  expect(await dirHashOf(app)).toBe(execFileSync("sh", ["-c", script], { cwd: app, encoding: "utf8" }).trim());
});

test.each(["build/lib/hello_robot/main.py", "hello_robot/__pycache__/main.cpython-311.pyc", "a.egg-info/SOURCES.txt"])(
  "a folder with %s is refused, because pip would build with it",
  async (name) => {
    const left = name.startsWith("build") ? "build" : dirname(name);
    const { app, verify } = await signed({ "LIFE-001": "pass" });
    mkdirSync(join(app, dirname(name)), { recursive: true });
    writeFileSync(join(app, name), "raise SystemExit");
    mkdirSync(join(app, ".git"));
    const { code, out } = await verify("--app", "hello_robot");
    expect([code, out]).toEqual([1, expect.stringContaining(`No verdict covers ${left}, `)]);
  },
);

/** A statement as certify makes it, with one thing changed, signed with the right key. */
async function changed(change: (statement: ReturnType<typeof statementOf>) => void) {
  const { folder, verify } = await signed({ "LIFE-001": "pass", "RES-004": "warn" });
  const file = join(folder, "verdict.intoto.jsonl");
  const statement = JSON.parse(String(Buffer.from(JSON.parse(readFileSync(file, "utf8")).payload, "base64")));
  change(statement);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(join(folder, "pub.pem"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(file, JSON.stringify(sealStatement(statement, privateKey)));
  return verify();
}

test.each<[string, (statement: ReturnType<typeof statementOf>) => void]>([
  [
    "conformant in spite of LIFE-001",
    ({ predicate }) => void Object.assign(predicate.robotApp.outcomes, { "LIFE-001": "fail" }),
  ],
  ["and its outcomes do not", ({ predicate }) => void predicate.failedTests.push("LIFE-003")],
  ["its result is FAILED", ({ predicate }) => void Object.assign(predicate, { result: "FAILED" })],
  ["its subjects are other files", ({ subject }) => void Object.assign(subject[0]?.digest ?? {}, { dirHash: "aa" })],
  ["its subjects are other files", ({ predicate }) => void Object.assign(predicate.robotApp, { wheel: "bb" })],
])("a statement that contradicts itself is refused: %s", async (says, change) => {
  expect(await changed(() => {})).toMatchObject({ code: 0 });
  expect(await changed(change)).toMatchObject({ code: 1, out: expect.stringContaining(says) });
});
