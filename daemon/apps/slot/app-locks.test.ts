import { expect, test } from "vitest";
import { AppLocks } from "./app-locks.ts";

const refused = (code: string) => expect.objectContaining({ code });

test("an app is not started while it is installed or removed, and is afterwards", () => {
  const locks = new AppLocks();
  const unlock = locks.lockToChange(["wave-back", "nod"]);
  expect(() => locks.lockToRun("wave_back")).toThrow(refused("app-busy"));
  locks.lockToRun("other");
  unlock();
  locks.lockToRun("wave_back");
});

test("an app is not installed or removed while it runs, and is afterwards", () => {
  const locks = new AppLocks();
  const unlock = locks.lockToRun("wave_back");
  expect(() => locks.lockToChange(["nod", "wave-back"])).toThrow(refused("app-already-running"));
  // What was refused has locked nothing.
  locks.lockToRun("nod")();
  unlock();
  locks.lockToChange(["wave-back"]);
});

test("an app that is restarted is locked until both of its runs have ended", () => {
  const locks = new AppLocks();
  const [first, second] = [locks.lockToRun("nod"), locks.lockToRun("nod")];
  first();
  expect(() => locks.lockToChange(["nod"])).toThrow(refused("app-already-running"));
  second();
  locks.lockToChange(["nod"]);
});
