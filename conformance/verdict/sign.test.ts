import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleVerdict } from "../testing/sample-verdict.ts";
import { canonicalJson } from "./canonical.ts";
import { isSignedBy, signatureOf, signingKey, verifyingKey } from "./sign.ts";

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = signingKey(String(privateKey.export({ type: "pkcs8", format: "pem" })), "key.pem");
  const known = verifyingKey(String(publicKey.export({ type: "spki", format: "pem" })), "pub.pem");
  return { secret, known };
};

test("canonical JSON does not depend on the order of keys, and parses to the same value", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        fc.jsonValue(),
      ),
      (value) => {
        const backwards = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(backwards)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      },
    ),
  );
});

test("it is the form of RFC 8785", () => {
  const value = { "\u20ac": "Euro", "\r": 1e21, a: [56.0, { d: true, b: null }], "1": 0.002, "\u{1f600}": "\u000f" };
  expect(canonicalJson(value)).toBe(
    '{"\\r":1e+21,"1":0.002,"a":[56,{"b":null,"d":true}],"\u20ac":"Euro","\u{1f600}":"\\u000f"}',
  );
});

test("a signature is good for this verdict and this key alone", () => {
  const [own, other] = [pair(), pair()];
  const verdict = sampleVerdict({ "LIFE-001": "pass" });
  const signature = signatureOf(verdict, own.secret);
  expect(isSignedBy(JSON.parse(JSON.stringify(verdict)), `${signature}\n`, own.known)).toBe(true);
  expect(isSignedBy({ ...verdict, verdict: "error" }, signature, own.known)).toBe(false);
  expect(isSignedBy(verdict, signature, other.known)).toBe(false);
  expect(isSignedBy(verdict, "not a signature", own.known)).toBe(false);
});

test("a key of another kind and a file without a key are refused with the command that makes one", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(() => signingKey(pem, "key.pem")).toThrow("openssl genpkey -algorithm ed25519");
  expect(() => verifyingKey("nothing", "pub.pem")).toThrow("pub.pem is not an Ed25519 key");
});
