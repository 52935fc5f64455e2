import { resolve } from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { FolderObjects } from "./folder-objects.ts";
import type { Objects } from "./objects.ts";
import { S3Objects } from "./s3-objects.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const SECRETS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] as const;
const NEXT = "Set them, and AWS_ENDPOINT_URL for another server than Amazon's.";

/**
 * What keeps the objects of a store with a name from the command line: a folder, or `s3://BUCKET/PREFIX`.
 * @param env has the server of a bucket and its credentials
 * @param signal ends retries of requests to a bucket
 * @throws WorkbenchError `usage` without credentials, or for an address without a bucket
 */
export function openObjects(name: string, cwd: string, env: Environment, signal?: AbortSignal): Objects {
  const [, bucket, prefix = ""] = /^s3:\/\/([^/]*)\/?(.*?)\/*$/.exec(name) ?? [];
  if (bucket === undefined) return new FolderObjects(resolve(cwd, name));
  if (bucket === "") throw new WorkbenchError("usage", `${name} has no bucket: give s3://BUCKET/PREFIX.`);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new WorkbenchError("usage", `${name} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. ${NEXT}`);
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? "us-east-1";
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  const location = {
    endpoint: endpoint.replace(/\/+$/, ""),
    bucket,
    prefix: prefix === "" ? "" : `${prefix}/`,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN,
  };
  return new S3Objects(location, { signal });
}

/** An environment for apps and what judges them, which must not have the credentials of the store. */
export const withoutStoreSecrets = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !(SECRETS as readonly string[]).includes(name)));
