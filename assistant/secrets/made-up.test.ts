import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets.ts";

// Put together here, so that no scanner takes this file for a leak.
const random = "q7Zr9TfLw2XkV8mHs5NdJ4pYc6GtRb3QhKv0".repeat(3);
const PROJECT = "sk-" + "proj-";
const begin = "-----BEGIN RSA PRIVATE " + "KEY-----";

const isFound = async (path: string, text: string) => (await findSecrets(path, text)).length > 0;

test.each([
  ["tests/test_settings.py", `key = "${PROJECT}abcdefghijklmnopqrstuvwxyz1234567890"`],
  ["tests/unit/conftest.py", `KEY = "${PROJECT}test-key-for-the-settings-page-0001"`],
  ["my_app/test_keys.py", `key = "${PROJECT}${"1".repeat(40)}"`],
  ["docs/deploy.md", "postgres://maker:postgres@db:5432/app"],
  ["README.md", "postgres://maker:q7Zr9TfLw2Xk@localhost:5432/app"],
  [".agents/references/deploy.md", `${begin}\n...\n`],
])("a made-up key in %s is no secret", async (path, text) => {
  expect(await isFound(path, text)).toBe(false);
  expect(await isFound("my_app/main.py", text), "in the package it is").toBe(true);
});

test.each([
  ["tests/test_settings.py", `key = "${PROJECT}${random.slice(0, 60)}"`],
  ["docs/deploy.md", "postgres://maker:q7Zr9TfLw2Xk@db.company.net:5432/app"],
  ["tests/key.txt", `${begin}\n${"MIIEpAIBAAKCAQEAr7Zr9TfLw2XkV8mHs5NdJ4pYc6GtRb3QhKv0aWxQ".repeat(1)}\n`],
])("a random key in %s is a secret", async (path, text) => {
  expect(await isFound(path, text)).toBe(true);
});
