import { expect, test } from "vitest";
import { FolderObjects } from "./folder-objects.ts";
import { openObjects, withoutStoreSecrets } from "./open-store.ts";
import { S3Objects } from "./s3-objects.ts";

const CREDENTIALS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "token" };

test("a name is a folder, or a bucket with credentials", () => {
  expect(openObjects("verdicts", "/home/ada", {})).toBeInstanceOf(FolderObjects);
  expect(openObjects("s3://bucket", "/home/ada", CREDENTIALS)).toBeInstanceOf(S3Objects);
});

test.each([
  ["s3://bucket/verdicts", {}, "AWS_ACCESS_KEY_ID"],
  ["s3:///verdicts", CREDENTIALS, "has no bucket"],
])("%s with %j is refused", (name, env, message) => {
  expect(() => openObjects(name, "/", env)).toThrow(message);
});

test("apps inherit none of the credentials", () => {
  expect(withoutStoreSecrets({ ...CREDENTIALS, PATH: "/bin" })).toEqual({ PATH: "/bin" });
});
