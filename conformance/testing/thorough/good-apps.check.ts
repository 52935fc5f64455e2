import { expect, test } from "vitest";
import { GOOD_APPS, judgeGoodApp, problemWithGoodApp } from "../mutants.ts";

test.each(Object.keys(GOOD_APPS))("%s meets every requirement", async (name) => {
  expect(problemWithGoodApp(await judgeGoodApp(name))).toBeNull();
});
