import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleCatalogueVerdict, exampleKey } from "../testing/example-run.ts";
import { hasS3Server, startS3Server, type TestS3 } from "../testing/s3-server.ts";
import { testVerdictStore } from "../testing/store-tests.ts";
import { openObjects } from "./open-store.ts";
import { S3Objects } from "./s3-objects.ts";
import { VerdictStore } from "./verdict-store.ts";

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
    const store = new VerdictStore(openObjects(`s3://${bucket}/a team/${count}`, "/", env));
    const location = { endpoint, bucket, prefix: `a team/${count}/`, region: "us-east-1" };
    return { store, client: new S3Objects({ ...location, accessKeyId: "test", secretAccessKey: "test" }) };
  }

  test("of many verdicts of one key that are put at the same time, one is kept, with its evidence", async () => {
    const { store, client } = newStore();
    const verdicts = Array.from({ length: 10 }, (_, seed) => exampleCatalogueVerdict({ seed }));
    const kept = await Promise.all(
      verdicts.map((verdict) => store.put(verdict, { "evidence.txt": Buffer.from(String(verdict.seed)) })),
    );
    expect(kept.filter((isKept) => isKept)).toHaveLength(1);
    expect(await store.get(exampleKey())).toEqual(verdicts[kept.indexOf(true)]);
    const [evidence, record, ...others] = (await client.list("verdicts")).sort();
    expect([record, others]).toEqual([expect.stringMatching(/\/record\.json$/), []]);
    expect(evidence).toMatch(/-evidence\.txt$/);
    expect(await client.get(`verdicts/${evidence}`)).toBe(String(kept.indexOf(true)));
  });

  testVerdictStore(() => newStore().store);

  test("names are listed also when the server needs several answers for that", async () => {
    const { store, client } = newStore();
    const names = ["1.json", "2 & more.json", "3+.json", "4.json", "5.json"];
    for (const name of names) await store.writeReport(`runs/${name}`, name);
    expect(await store.listReports("runs")).toEqual(names);
    expect(await client.list("runs", 2)).toEqual(names);
  });

  test("a report's address is that of the bucket", async () => {
    const { store } = newStore();
    expect(await store.writeReport("catalogue.json", "")).toBe(`s3://verdicts/a team/${count}/catalogue.json`);
  });

  test("an error of the server is an error with its code", async () => {
    const objects = openObjects("s3://missing", "/", { ...CREDENTIALS, AWS_ENDPOINT_URL: server.endpoint });
    const store = new VerdictStore(objects);
    await expect(store.put(exampleCatalogueVerdict(), {})).rejects.toThrow("404 NoSuchBucket");
  });
});
