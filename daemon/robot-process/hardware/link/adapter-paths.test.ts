import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../../../common/testing/property-runs.ts";
import { adapterPaths } from "./serial.ts";

test.each([
  [["/dev/tty.usbmodem1", "/dev/cu.usbmodem1"], ["/dev/cu.usbmodem1"]],
  [["/dev/tty.usbmodem1"], ["/dev/tty.usbmodem1"]],
  [
    ["/dev/tty.usbmodem1", "/dev/cu.usbmodem2", "/dev/cu.usbmodem1", "/dev/tty.usbmodem2"],
    ["/dev/cu.usbmodem1", "/dev/cu.usbmodem2"],
  ],
  [
    ["/dev/ttyACM1", "/dev/ttyACM0"],
    ["/dev/ttyACM0", "/dev/ttyACM1"],
  ],
  [[], []],
])("of the ports %j, the adapters are %j", (ports, adapters) => {
  expect(adapterPaths(ports)).toEqual(adapters);
});

test("on macOS, each adapter is found once, whichever of its paths are listed", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9._-]{1,12}$/), { maxLength: 4 });
  fc.assert(
    fc.property(
      names,
      fc.infiniteStream(fc.constantFrom(["cu"], ["tty"], ["tty", "cu"], ["cu", "tty", "cu"])),
      (adapters, kinds) => {
        const ports = adapters.flatMap((name) =>
          (kinds.next().value as string[]).map((kind) => `/dev/${kind}.${name}`),
        );
        const found = adapterPaths(ports);
        expect(found.map((port) => port.replace(/^\/dev\/(cu|tty)\./, "")).sort()).toEqual([...adapters].sort());
        for (const port of found)
          expect(ports.includes(port.replace("/tty.", "/cu.")) ? port : "").not.toMatch(/\/tty\./);
      },
    ),
    { numRuns: PROPERTY_RUNS },
  );
});
