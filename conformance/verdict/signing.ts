import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { dsse } from "@sigstore/core";
import { z } from "zod";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { jsonOrNull } from "../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";

/** A signed document: DSSE, https://github.com/secure-systems-lab/dsse. */
interface Envelope {
  payloadType: string;
  /** Base64. */
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

/** The type of in-toto statements. */
export const IN_TOTO = "application/vnd.in-toto+json";

const Signed = z.object({
  payloadType: z.literal(IN_TOTO),
  payload: z.base64(),
  signatures: z.array(z.object({ keyid: z.string().default(""), sig: z.base64() })).min(1),
});

/** Signs a statement with an Ed25519 key. */
export function sealStatement(statement: unknown, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, dsse.preAuthEncoding(IN_TOTO, payload), key).toString("base64");
  return { payloadType: IN_TOTO, payload: payload.toString("base64"), signatures: [{ keyid: keyIdOf(key), sig }] };
}

/**
 * The statement in an envelope, or null when none of its signatures is that of the key.
 * @param name of the file, for messages
 * @throws WorkbenchError `bad-request` when the text is no envelope with an in-toto statement
 */
export function openEnvelope(text: string, key: KeyObject, name: string): unknown {
  const next = `${name} is not a signed verdict; name the verdict.intoto.jsonl that certify --sign wrote.`;
  const envelope = parseOrThrow(Signed, jsonOrNull(text), name, { next });
  const payload = Buffer.from(envelope.payload, "base64");
  const encoded = dsse.preAuthEncoding(envelope.payloadType, payload);
  const isGood = envelope.signatures.some(({ sig }) => verify(null, encoded, key, Buffer.from(sig, "base64")));
  if (!isGood) return null;
  const statement = jsonOrNull(payload.toString("utf8"));
  if (statement === null) throw new WorkbenchError("bad-request", `The payload of ${name} is not JSON. ${next}`);
  return statement;
}

/** Reads a private key for signing. @throws WorkbenchError `bad-request` when it is not an Ed25519 key */
export function parseSigningKey(pem: string, name: string): KeyObject {
  return ed25519(() => createPrivateKey(pem), name, "openssl genpkey -algorithm ed25519 -out key.pem");
}

/** Reads a public key for verifying. @throws WorkbenchError `bad-request` when it is not an Ed25519 key */
export function parseVerifyingKey(pem: string, name: string): KeyObject {
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

/** The SHA-256 of the public key (DER), hexadecimal: a hint which key to try. */
function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
}
