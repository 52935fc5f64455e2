import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { signingKey, verifyingKey } from "./sign.ts";

test("a key of another kind and a file without a key are refused with the command that makes one", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(() => signingKey(pem, "key.pem")).toThrow("openssl genpkey -algorithm ed25519");
  expect(() => verifyingKey("nothing", "pub.pem")).toThrow("pub.pem is not an Ed25519 key");
});
