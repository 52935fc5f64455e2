import { expect, test } from "vitest";
import { FolderStore } from "./folder-store.ts";
import { openStore, withoutStoreSecrets } from "./open-store.ts";
import { S3Store } from "./s3-store.ts";

const CREDENTIALS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "token" };

test("a name is a folder, or a bucket with credentials", () => {
  expect(openStore("verdicts", "/home/ada", {})).toBeInstanceOf(FolderStore);
  expect(openStore("s3://bucket", "/home/ada", CREDENTIALS)).toBeInstanceOf(S3Store);
});

test.each([
  ["s3://bucket/verdicts", {}, "AWS_ACCESS_KEY_ID"],
  ["s3:///verdicts", CREDENTIALS, "has no bucket"],
])("%s with %j is refused", (name, env, message) => {
  expect(() => openStore(name, "/", env)).toThrow(message);
});

test("apps inherit none of the credentials", () => {
  expect(withoutStoreSecrets({ ...CREDENTIALS, PATH: "/bin" })).toEqual({ PATH: "/bin" });
});
