import { expect, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { openCameraFile } from "./choose-source.ts";

test.each([
  ["/no/such/picture.jpg", /no such file or folder/],
  ["package.json", /this is not a picture/],
  ["package.json/1.jpg", /it cannot be read \(ENOTDIR\)/],
  ["docs", /the folder has no pictures/],
])("--camera %s is refused, with the reason", async (choice, reason) => {
  await expect(openCameraFile(choice, true, new ManualClock())).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(reason),
  });
});

test("a physical robot has no simulated camera", async () => {
  await expect(openCameraFile("sim", false, new ManualClock())).rejects.toThrow(/--camera sim needs --sim/);
  expect(await openCameraFile("sim", true, new ManualClock())).toBeNull();
});
