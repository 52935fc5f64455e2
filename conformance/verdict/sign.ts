import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { WorkbenchError } from "../../robot/wire/errors.ts";

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
