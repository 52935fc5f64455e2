import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { recallModel, rememberModel } from "./model-memory.ts";

test("the latest 100 models are remembered, each once", async () => {
  const folder = temporaryFolder("memory-");
  const model = (number: number) => ({ serverUrl: "http://127.0.0.1:8001", model: `model-${number}` });
  for (let number = 0; number <= 100; number += 1) await rememberModel(folder, { ...model(number), instruct: false });
  await rememberModel(folder, { ...model(100), instruct: true });
  const recalled = await Promise.all([0, 1, 99, 100].map((number) => recallModel(folder, model(number))));
  expect(recalled).toEqual([undefined, false, false, true]);
});
