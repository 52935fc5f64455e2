import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasS3Server, startS3Server, type TestS3 } from "../testing/s3-server.ts";
import { sampleCatalogueVerdict, sampleKey } from "../testing/sample-run.ts";
import { openStore } from "./open-store.ts";
import { S3Client } from "./s3-client.ts";

const CREDENTIALS = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };

describe.skipIf(!hasS3Server())("a store in a bucket", () => {
  let server: TestS3;
  let count = 0;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server?.close());

  function newStore() {
    count += 1;
    const { endpoint, bucket } = server;
    const env = { ...CREDENTIALS, AWS_ENDPOINT_URL: `${endpoint}/` };
    const store = openStore(`s3://${bucket}/a team/${count}`, "/", env);
    const location = { endpoint, bucket, prefix: `a team/${count}/`, region: "us-east-1" };
    return { store, client: new S3Client({ ...location, accessKeyId: "test", secretAccessKey: "test" }) };
  }

  test("of many verdicts of one key that are put at the same time, one is kept, with its evidence", async () => {
    const { store, client } = newStore();
    const verdicts = Array.from({ length: 10 }, (_, seed) => sampleCatalogueVerdict({ seed }));
    const kept = await Promise.all(
      verdicts.map((verdict) => store.put(verdict, { "evidence.txt": Buffer.from(String(verdict.seed)) })),
    );
    expect(kept.filter((isKept) => isKept)).toHaveLength(1);
    expect(await store.get(sampleKey())).toEqual(verdicts[kept.indexOf(true)]);
    const [evidence, record, ...others] = (await client.list("verdicts")).sort();
    expect([record, others]).toEqual([expect.stringMatching(/\/record\.json$/), []]);
    expect(evidence).toMatch(/-evidence\.txt$/);
    expect(await client.get(`verdicts/${evidence}`)).toBe(String(kept.indexOf(true)));
  });

  test("without a verdict there is none; a forgotten one can be put again, and nothing of it is left", async () => {
    const { store, client } = newStore();
    expect(await store.get(sampleKey())).toBeNull();
    expect(await store.put(sampleCatalogueVerdict(), { "evidence.txt": Buffer.from("") })).toBe(true);
    await store.link("ab12", sampleKey());
    expect(await store.linked("ab12")).toEqual(sampleCatalogueVerdict());
    await store.forget(sampleKey());
    expect([await store.get(sampleKey()), await store.linked("ab12"), await store.linked("cd34")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await client.list("verdicts")).toEqual([]);
    expect(await store.put(sampleCatalogueVerdict({ seed: 2 }), {})).toBe(true);
  });

  test("attempts are noted before they end, and are gone once there is a verdict", async () => {
    const { store } = newStore();
    const attempt = { worker: "a:1", job: null, startedAt: "2030-01-01T00:00:00.000Z", failure: null };
    const failure = { kind: "crash" as const, message: "ended with SIGKILL", output: "" };
    const first = await store.beginAttempt(sampleKey(), attempt);
    const second = await store.beginAttempt(sampleKey(), { ...attempt, startedAt: "2030-01-01T00:00:01.000Z" });
    await first.fail(failure);
    expect((await store.attempts(sampleKey())).map((each) => each.failure)).toEqual([failure, null]);
    await second.remove();
    expect(await store.attempts(sampleKey())).toHaveLength(1);
    expect(await store.attempts(sampleKey("b"))).toEqual([]);
    await store.put(sampleCatalogueVerdict(), {});
    expect(await store.attempts(sampleKey())).toEqual([]);
  });

  test("reports are replaced, read and listed, also when the server needs several answers for that", async () => {
    const { store, client } = newStore();
    await store.writeReport("catalogue.json", "old");
    expect(await store.writeReport("catalogue.json", "new")).toBe(`s3://verdicts/a team/${count}/catalogue.json`);
    expect([await store.readReport("catalogue.json"), await store.readReport("none")]).toEqual(["new", null]);
    const names = ["1.json", "2 & more.json", "3+.json", "4.json", "5.json"];
    for (const name of names) await store.writeReport(`runs/${name}`, name);
    expect(await store.listReports("runs")).toEqual(names);
    expect(await client.list("runs", 2)).toEqual(names);
    expect(await store.readReport("runs/3+.json")).toBe("3+.json");
  });

  test("an error of the server is an error with its code", async () => {
    const store = openStore("s3://missing", "/", { ...CREDENTIALS, AWS_ENDPOINT_URL: server.endpoint });
    await expect(store.put(sampleCatalogueVerdict(), {})).rejects.toThrow("404 NoSuchBucket");
  });
});
