import { expect, test } from "vitest";
import type { Client } from "../connection/client.ts";
import { WorkshopModel } from "./workshop-model.ts";

/** A page at an address. */
function pageAt(fragment: string) {
  const stored = new Map<string, string>();
  let address = fragment;
  const model = new WorkshopModel({
    fragment: () => address,
    setFragment: (next) => {
      address = next;
    },
    storage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
  });
  return {
    model,
    address: () => address,
    go: (next: string) => {
      address = next;
      model.followAddress();
    },
  };
}
const client = (app: string | null) => ({ get: async () => ({ app }) }) as unknown as Client;

test("the secret of the link leaves the address, and is sent with requests", async () => {
  const { model, address } = pageAt("#workshop=s3cret-_");
  expect([address(), model.secret.value]).toEqual(["", "s3cret-_"]);
  const sent: unknown[] = [];
  const fetch = model.withSecret(async (...given) => {
    sent.push(given);
    return new Response();
  });
  await fetch("/x", { headers: { a: "b" } });
  expect(sent).toEqual([["/x", { headers: { a: "b", "x-workshop-secret": "s3cret-_" } }]]);
});

test("the page of the workshop opens with an app and its secret only, and closes when the person goes back", async () => {
  const { model, go, address } = pageAt("#workshop=secret");
  model.open();
  expect(model.opened.value).toBe(false);
  await model.refresh(client("my_app"));
  expect([model.opened.value, address()]).toEqual([true, "#edit"]);
  go("");
  expect(model.opened.value).toBe(false);
  go("#edit");
  model.forgetSecret();
  expect(model.opened.value).toBe(false);
});

test("a page that was shown stays when the daemon is started again, and takes the new link", async () => {
  const { model, go, address } = pageAt("#workshop=secret");
  await model.refresh(client("my_app"));
  model.open();
  model.shown();
  model.forgetSecret();
  await model.refresh(client(null));
  expect(model.opened.value).toBe(true);
  go("#workshop=another");
  expect([model.secret.value, address(), model.opened.value]).toEqual(["another", "#edit", true]);
});

test("a link without a secret is no link", () => {
  expect(pageAt("#workshop=").model.secret.value).toBeNull();
  expect(pageAt("#edit").model.secret.value).toBeNull();
});
