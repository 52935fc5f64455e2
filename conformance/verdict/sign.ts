import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { canonicalJson } from "./canonical.ts";

/** Reads a private key for signing. @throws WorkbenchError `bad-request` when it is not an Ed25519 key */
export function signingKey(pem: string, name: string): KeyObject {
  return ed25519(() => createPrivateKey(pem), name, "openssl genpkey -algorithm ed25519 -out key.pem");
}

/** Reads a public key for verifying. @throws WorkbenchError `bad-request` when it is not an Ed25519 key */
export function verifyingKey(pem: string, name: string): KeyObject {
  return ed25519(() => createPublicKey(pem), name, "openssl pkey -in key.pem -pubout -out pub.pem");
}

function ed25519(read: () => KeyObject, name: string, make: string): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // The error below replaces that of the cryptographic library, which does not name the problem.
  }
  throw new WorkbenchError("bad-request", `${name} is not an Ed25519 key in PEM; make one with: ${make}`);
}

/** Signs a verdict (Ed25519, RFC 8032, over its canonical JSON); base64. */
export function signatureOf(verdict: unknown, key: KeyObject): string {
  return sign(null, Buffer.from(canonicalJson(verdict)), key).toString("base64");
}

/** Whether a signature of `signatureOf` belongs to this verdict and key. */
export function isSignedBy(verdict: unknown, signature: string, key: KeyObject): boolean {
  return verify(null, Buffer.from(canonicalJson(verdict)), key, Buffer.from(signature.trim(), "base64"));
}
