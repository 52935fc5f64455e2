import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { dsse } from "@sigstore/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleVerdict } from "../testing/example-verdict.ts";
import { IN_TOTO, openEnvelope, parseSigningKey, parseVerifyingKey, sealStatement } from "./signing.ts";
import { Statement, statementOf } from "./statement.ts";

const pair = () => generateKeyPairSync("ed25519");

test("the encoding that is signed is that of the DSSE specification", () => {
  const encoded = dsse.preAuthEncoding("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(String(encoded)).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
});

test("an envelope opens with its key alone, and as it was sealed alone", () => {
  const [own, other] = [pair(), pair()];
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (statement, at) => {
      const envelope = sealStatement(statement, own.privateKey);
      const text = JSON.stringify(envelope);
      expect(openEnvelope(text, own.publicKey, "file")).toEqual(JSON.parse(JSON.stringify(statement)));
      expect(openEnvelope(text, other.publicKey, "file")).toBeNull();
      const payload = Buffer.from(envelope.payload, "base64");
      payload[at % payload.length] = (payload[at % payload.length] ?? 0) ^ 1;
      const changed = JSON.stringify({ ...envelope, payload: payload.toString("base64") });
      expect(openEnvelope(changed, own.publicKey, "file")).toBeNull();
    }),
    { numRuns: 50 },
  );
});

test.each(["", "{}", "[1]", '{"payloadType":"text/plain","payload":"","signatures":[{"sig":""}]}'])(
  "%j is refused as no signed verdict",
  (text) => {
    expect(() => openEnvelope(text, pair().publicKey, "file")).toThrow("name the verdict.intoto.jsonl");
  },
);

test("the statement is an in-toto test result with what the verdict was made with", () => {
  const verdict = exampleVerdict({ "LIFE-001": "pass", "LIFE-003": "fail", "RES-004": "warn" });
  const statement = statementOf({ ...verdict, verdict: "not-conformant" }, "text");
  expect(Statement.parse(statement)).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: { result: "FAILED", passedTests: ["LIFE-001"], warnedTests: ["RES-004"], failedTests: ["LIFE-003"] },
  });
  expect(statement.predicate.configuration.map(({ name }) => name)).toEqual([
    ...["robot-app-assistant certify", "robot-daemon", "robot-sim", "robot-sdk", "python", "machine"],
  ]);
  // https://github.com/in-toto/attestation/blob/main/spec/v1/resource_descriptor.md
  for (const entry of statement.predicate.configuration)
    expect(entry).toHaveProperty(entry.name === "machine" ? "content" : "uri", expect.stringMatching(/./));
});

/** Verifies with the reference implementation, https://github.com/secure-systems-lab/securesystemslib. */
const REFERENCE = `
import json, sys
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
given = json.loads(sys.stdin.read())
keyid = given["envelope"]["signatures"][0]["keyid"]
key = SSlibKey.from_crypto(load_pem_public_key(given["pem"].encode()), keyid)
envelope = Envelope.from_dict(given["envelope"])
envelope.verify([key], 1)
print(envelope.payload_type, json.loads(envelope.payload)["predicateType"])
`;
const PYTHON = ".venv/bin/python";
const hasReference = spawnSync(PYTHON, ["-c", "import securesystemslib.dsse, cryptography"]).status === 0;

test.runIf(hasReference)("the reference implementation in Python verifies it", () => {
  const { privateKey, publicKey } = pair();
  const statement = statementOf({ ...exampleVerdict({ "LIFE-001": "pass" }), verdict: "conformant" }, "text");
  const given = {
    pem: publicKey.export({ type: "spki", format: "pem" }),
    envelope: sealStatement(statement, privateKey),
  };
  const out = execFileSync(PYTHON, ["-c", REFERENCE], { input: JSON.stringify(given), encoding: "utf8" });
  expect(out.trim()).toBe(`${IN_TOTO} https://in-toto.io/attestation/test-result/v0.1`);
});

test("a key of another kind and a file without a key are refused with the command that makes one", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(() => parseSigningKey(pem, "key.pem")).toThrow("openssl genpkey -algorithm ed25519");
  expect(() => parseVerifyingKey("nothing", "pub.pem")).toThrow("pub.pem is not an Ed25519 key");
});
