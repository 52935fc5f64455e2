import { AwsClient } from "aws4fetch";

/** Milliseconds for one request with its repetitions. */
const REQUEST_MS = 60_000;
const RETRIES = 5;

/** A part of a bucket of an S3-compatible server. */
export interface S3Location {
  /** Of the server, without a slash at the end. */
  endpoint: string;
  bucket: string;
  /** Begins the names of all objects; empty, or with a slash at the end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Reads and writes objects of an S3-compatible server. Answers 429 and 5xx are tried again. */
export class S3Client {
  readonly #location: S3Location;
  readonly #client: AwsClient;

  constructor(location: S3Location) {
    const { region, accessKeyId, secretAccessKey, sessionToken } = location;
    const session = sessionToken === undefined ? {} : { sessionToken };
    this.#location = location;
    this.#client = new AwsClient({ service: "s3", region, accessKeyId, secretAccessKey, retries: RETRIES, ...session });
  }

  /** The text of an object; null when there is none. @throws Error when the server refuses or does not answer */
  async get(name: string): Promise<string | null> {
    const response = await this.#request("GET", name);
    if (response.status === 404) return null;
    return (await expectSuccess(response, `read ${name}`)).text();
  }

  /**
   * Writes an object.
   * @param onlyNew writes it only when there is none of its name
   * @returns whether it was written
   * @throws Error when the server refuses or does not answer
   */
  async put(name: string, body: Uint8Array | string, onlyNew = false): Promise<boolean> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#request("PUT", name, body, onlyNew ? { "if-none-match": "*" } : {});
      // 409: another conditional write of the same object ran at that time.
      const isRepeated = onlyNew && response.status === 409 && attempt < RETRIES;
      const isThere = onlyNew && response.status === 412;
      if (!isRepeated && !isThere) await expectSuccess(response, `write ${name}`);
      await response.body?.cancel();
      if (!isRepeated) return !isThere;
    }
  }

  /** Deletes an object; one that is not there is no error. @throws Error when the server refuses or does not answer */
  async delete(name: string): Promise<void> {
    const response = await this.#request("DELETE", name);
    if (response.status !== 404) await expectSuccess(response, `delete ${name}`);
    await response.body?.cancel();
  }

  /** The objects whose names begin with a folder's, without it. @param pageSize of one answer @throws Error when the server refuses or does not answer */
  async list(folder: string, pageSize = 1000): Promise<string[]> {
    const prefix = `${this.#location.prefix}${folder}/`;
    const names: string[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const query = new URLSearchParams({
        "list-type": "2",
        "max-keys": String(pageSize),
        prefix,
        ...(token === "" ? {} : { "continuation-token": token }),
      });
      const response = await expectSuccess(await this.#request("GET", `?${query}`), `list ${folder}`);
      const xml = await response.text();
      names.push(
        ...[...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => decodeXml(key).slice(prefix.length)),
      );
      const [, next] = /<NextContinuationToken>([^<]*)</.exec(xml) ?? [];
      token = next === undefined ? undefined : decodeXml(next);
    }
    return names;
  }

  #request(method: string, name: string, body?: Uint8Array | string, headers: Record<string, string> = {}) {
    const { endpoint, bucket, prefix } = this.#location;
    const path = name.startsWith("?")
      ? name
      : `/${[...prefix.split("/"), ...name.split("/")]
          .filter((part) => part !== "")
          .map(encodeURIComponent)
          .join("/")}`;
    const signal = AbortSignal.timeout(REQUEST_MS);
    return this.#client.fetch(`${endpoint}/${bucket}${path}`, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
  }
}

async function expectSuccess(response: Response, what: string): Promise<Response> {
  if (response.ok) return response;
  const [, code = ""] = /<Code>([^<]*)</.exec(await response.text()) ?? [];
  throw new Error(`The object store did not ${what}: ${response.status} ${code}`);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decodeXml = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = "") =>
    hex || decimal
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? "", hex ? 16 : 10))
      : (ENTITIES[name] ?? whole),
  );
