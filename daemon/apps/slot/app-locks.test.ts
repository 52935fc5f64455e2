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

test.each(["lockToRun", "lockToChange"] as const)(
  "a lock has one owner: %s is refused while an app is changed, and its release releases nothing else",
  (lock) => {
    const locks = new AppLocks();
    const take = (name: string) => (lock === "lockToRun" ? locks.lockToRun(name) : locks.lockToChange([name, "other"]));
    const install = locks.lockToChange(["nod", "wave-back", "nod"]);
    expect(() => take("wave_back")).toThrow(refused("app-busy"));
    // What was refused has locked nothing.
    locks.lockToChange(["other"])();
    install();
    const release = take("wave_back");
    // A second release by the first owner is none.
    install();
    expect(() => locks.lockToChange(["wave-back"])).toThrow(
      refused(lock === "lockToRun" ? "app-already-running" : "app-busy"),
    );
    release();
    locks.lockToChange(["wave-back", "nod", "other"]);
  },
);
