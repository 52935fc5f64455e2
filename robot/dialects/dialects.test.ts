import { expect, test } from "vitest";
import {
  DEFAULT_DIALECT,
  DIALECTS,
  dialectById,
  dialectOfClient,
  dialectOfGroup,
  dialectsOfTags,
  listOfDialects,
} from "./dialects.ts";

test("no two dialects share a name, so that each of them tells the dialect", () => {
  const names = DIALECTS.flatMap(({ id, group, tag, sdk, clientHeader }) => [
    id,
    group,
    tag,
    sdk.distribution,
    sdk.module,
    sdk.appClass,
    clientHeader,
  ]);
  // A module may be called like the dialect itself.
  expect(new Set(names).size).toBeGreaterThanOrEqual(names.length - DIALECTS.length);
  for (const key of ["id", "group", "tag"] as const)
    expect(new Set(DIALECTS.map((dialect) => dialect[key])).size).toBe(DIALECTS.length);
});

test("group and tags find their dialect, and others find none", () => {
  for (const dialect of DIALECTS) {
    expect(dialectById(dialect.id)).toBe(dialect);
    expect(dialectOfGroup(dialect.group)).toBe(dialect);
    expect(dialectsOfTags(["other", dialect.tag])).toEqual([dialect]);
  }
  expect(dialectOfGroup("console_scripts")).toBeUndefined();
  expect(dialectsOfTags([])).toEqual([]);
});

test("a space may carry both tags; the contract's comes first", () => {
  expect(dialectsOfTags(DIALECTS.map(({ tag }) => tag).reverse())).toEqual(DIALECTS);
  expect(listOfDialects(({ group }) => group)).toBe("robot_apps or reachy_mini_apps");
  expect(DEFAULT_DIALECT.id).toBe("robot");
});

test("a client is known by its header, an old one by its user agent, and any other speaks the contract", () => {
  const websockets = { "user-agent": "Python/3.11 websockets/15.0" };
  expect(dialectOfClient({ ...websockets, "x-robot-client-pid": "12" }).id).toBe("robot");
  expect(dialectOfClient({ ...websockets, "x-reachy-client": "python_sdk/1.13.0 (linux)" }).id).toBe("reachy_mini");
  expect(dialectOfClient(websockets).id).toBe("reachy_mini");
  expect(dialectOfClient({ "user-agent": "Mozilla/5.0" }).id).toBe("robot");
  expect(dialectOfClient({}).id).toBe("robot");
});
