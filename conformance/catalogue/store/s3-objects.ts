import { AwsClient } from "aws4fetch";
import { sleep, systemClock } from "../../../common/time/clock.ts";
import type { Objects } from "./objects.ts";

/** Milliseconds for one request with its retries. */
const REQUEST_MS = 60_000;
const RETRIES = 5;
/** Milliseconds before the first retry; twice as long before each further one. */
const FIRST_PAUSE_MS = 200;

/** A part of a bucket of an S3-compatible server. */
interface S3Location {
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

export interface S3Options {
  /** Ends retries. The requests themselves go on: what was written for a certification is removed after its end, too. */
  signal?: AbortSignal | undefined;
  /** Milliseconds before the first retry. */
  pauseMs?: number;
}

interface Answer {
  status: number;
  text: string;
}

/**
 * Objects of an S3-compatible server. Answers 429 and 5xx and lost connections are retried.
 * All methods throw an Error when the server refuses or does not answer, and the signal's reason instead of a retry.
 */
export class S3Objects implements Objects {
  readonly #location: S3Location;
  readonly #client: AwsClient;
  readonly #signal: AbortSignal | null;
  readonly #pauseMs: number;

  constructor(location: S3Location, { signal, pauseMs = FIRST_PAUSE_MS }: S3Options = {}) {
    const { region, accessKeyId, secretAccessKey, sessionToken } = location;
    const session = sessionToken === undefined ? {} : { sessionToken };
    this.#location = location;
    this.#signal = signal ?? null;
    this.#pauseMs = pauseMs;
    this.#client = new AwsClient({ service: "s3", region, accessKeyId, secretAccessKey, retries: 0, ...session });
  }

  addressOf(name: string): string {
    return `s3://${this.#location.bucket}/${this.#location.prefix}${name}`;
  }

  async get(name: string): Promise<string | null> {
    const answer = await this.#request(`read ${name}`, "GET", name);
    return answer.status === 404 ? null : expectSuccess(answer, `read ${name}`).text;
  }

  async put(name: string, body: Uint8Array | string, onlyNew = false): Promise<boolean> {
    const condition = onlyNew ? { headers: { "if-none-match": "*" } } : {};
    const answer = await this.#request(`write ${name}`, "PUT", name, { ...condition, body: Buffer.from(body) });
    if (onlyNew && answer.status === 412) return false;
    expectSuccess(answer, `write ${name}`);
    return true;
  }

  async delete(name: string): Promise<void> {
    const answer = await this.#request(`delete ${name}`, "DELETE", name);
    if (answer.status !== 404) expectSuccess(answer, `delete ${name}`);
  }

  /** Also what is in folders of the folder. @param pageSize of one answer */
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
      const what = `list ${folder}`;
      const { text: xml } = expectSuccess(await this.#request(what, "GET", `?${query}`), what);
      names.push(
        ...[...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => decodeXml(key).slice(prefix.length)),
      );
      const [, next] = /<NextContinuationToken>([^<]*)</.exec(xml) ?? [];
      token = next === undefined ? undefined : decodeXml(next);
    }
    return names;
  }

  /** Sends a request, with retries: each may be repeated without another effect. @param what for the error */
  async #request(what: string, method: string, name: string, init: RequestInit = {}): Promise<Answer> {
    const late = AbortSignal.timeout(REQUEST_MS);
    for (let retries = 0; ; retries += 1) {
      const answer = await this.#send(name, { ...init, method, signal: late }).catch((cause: Error) => ({ cause }));
      const isFailed = "cause" in answer;
      if (!isFailed && !isTemporary(answer.status)) return answer;
      if (retries === RETRIES || late.aborted) {
        if (!isFailed) return answer;
        throw new Error(`The object store did not ${what}: ${reasonOf(answer.cause)}`, { cause: answer.cause });
      }
      await this.#pause(retries, late);
    }
  }

  async #send(name: string, init: RequestInit): Promise<Answer> {
    const { endpoint, bucket, prefix } = this.#location;
    const path = name.startsWith("?")
      ? name
      : `/${[...prefix.split("/"), ...name.split("/")]
          .filter((part) => part !== "")
          .map(encodeURIComponent)
          .join("/")}`;
    const response = await this.#client.fetch(`${endpoint}/${bucket}${path}`, init);
    // A connection may also be lost while the body arrives.
    return { status: response.status, text: await response.text() };
  }

  /** Waits before a retry: from half to all of the time, so that workers do not retry at the same moment. */
  async #pause(retries: number, late: AbortSignal): Promise<void> {
    const signal = this.#signal === null ? late : AbortSignal.any([late, this.#signal]);
    await sleep(systemClock, this.#pauseMs * 2 ** retries * (0.5 + Math.random() / 2), signal);
    this.#signal?.throwIfAborted();
  }
}

/** 409: another conditional write of the same object ran at that time. */
const isTemporary = (status: number): boolean => status === 409 || status === 429 || status >= 500;

/** Why there is no answer. The error of `fetch` says it in its cause. */
function reasonOf(error: Error): string {
  const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return message || code || error.message;
}

function expectSuccess(answer: Answer, what: string): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const [, code = ""] = /<Code>([^<]*)</.exec(answer.text) ?? [];
  throw new Error(`The object store did not ${what}: ${answer.status} ${code}`);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decodeXml = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = "") =>
    hex || decimal
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? "", hex ? 16 : 10))
      : (ENTITIES[name] ?? whole),
  );
