import { expect, test } from "vitest";
import { findSecrets, isSecretFile } from "./find-secrets.ts";

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const mixed = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2g3H4i5J6k7L8m9N0o1P2q3R4s5T6";

// Put together here, so that no scanner takes this file for a leak.
test.each([
  ["Hugging Face", `hf_${letters.slice(0, 34)}`],
  ["Hugging Face with digits", `hf_${mixed.slice(0, 34)}`],
  ["GitHub", `ghp_${mixed.slice(0, 36)}`],
  ["GitHub fine-grained", `github_pat_${mixed.slice(0, 22)}_${mixed.slice(0, 59)}`],
  ["GitLab", `glpat-${mixed.slice(0, 20)}`],
  ["npm", `npm_${mixed.slice(0, 36)}`],
  ["Slack", `xoxb-${"1".repeat(12)}-${"2".repeat(13)}-${mixed.slice(0, 24)}`],
  ["OpenAI", `sk-proj-${mixed.slice(0, 74)}T3BlbkFJ${mixed.slice(0, 74)}`],
  ["another model server", `sk-or-v1-${mixed.slice(0, 64)}`],
  ["Anthropic", `sk-ant-api03-${mixed.slice(0, 92)}xAA`],
  ["AWS id", `AKIA${letters.slice(26, 42)}`],
  ["AWS secret", `aws_secret_access_key = ${mixed.slice(0, 40)}`],
  ["Google", `AIza${mixed.slice(0, 35)}`],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
  ["a database", `postgres://maker:${mixed.slice(0, 12)}@db.example.com:5432/app`],
])("finds a key of %s, once, and shows its start only", async (_, key) => {
  const found = await findSecrets("notes.txt", `first line\nKEY = "${key}"\n`);
  expect(found).toHaveLength(1);
  const [{ start, line, what } = { start: "", line: 0, what: "" }] = found;
  expect(line).toBe(2);
  expect(what).not.toBe("");
  expect(start).toHaveLength(8);
  expect(JSON.stringify(found)).not.toContain(key.slice(-12));
});

test("finds a service account's key", async () => {
  const key = { private_key_id: "1", private_key: "-----BEGIN PRIVATE KEY-----\nMIIE" };
  expect(await findSecrets("account.json", JSON.stringify(key))).not.toEqual([]);
});

test("keeps nothing of a text", async () => {
  const before = performance.getEntries().length;
  for (let count = 0; count < 10; count += 1) await findSecrets("notes.txt", "nothing");
  expect(performance.getEntries()).toHaveLength(before);
});

test("finds several keys in the order of the text", async () => {
  const text = `AIza${mixed.slice(0, 35)}\nghp_${mixed.slice(0, 36)}\n`;
  expect((await findSecrets("a.txt", text)).map(({ line }) => line)).toEqual([1, 2]);
});

test.each([
  ["ordinary code", 'task = "sketch"\nurl = "http://localhost:8042"\nhf_token = settings["hf_token"]\n'],
  ["placeholders", "HF_TOKEN=hf_your_token_here\nOPENAI_API_KEY=sk-...\n"],
  ["a digest", `sha256:${"0123456789abcdef".repeat(4)}\n`],
  ["nothing", ""],
])("finds nothing in %s", async (_, text) => {
  expect(await findSecrets("main.py", text)).toEqual([]);
});

test.each([".env", "deploy/.env.local", "id_ed25519", "keys/a.pem", "a.p12"])(
  "%s holds secrets by its name",
  (path) => {
    expect(isSecretFile(path)).toBe(true);
  },
);

test.each([".env.example", "environment.py", "a.pem.txt", "my.envelope"])("%s does not", (path) => {
  expect(isSecretFile(path)).toBe(false);
});
