import type { NetworkInterfaceInfo } from "node:os";
import { expect, test } from "vitest";
import { hostNames, localUrl, networkUrl } from "./addresses.ts";

const at = (address: string, family: string, internal = false) =>
  ({ address, family, internal }) as NetworkInterfaceInfo;
const INTERFACES = {
  lo: [at("127.0.0.1", "IPv4", true)],
  wlan0: [at("fe80::7", "IPv6"), at("192.168.1.7", "IPv4")],
};

test.each([
  ["127.0.0.1", "http://127.0.0.1:8000", "http://127.0.0.1:8000"],
  ["0.0.0.0", "http://127.0.0.1:8000", "http://192.168.1.7:8000"],
  ["::", "http://127.0.0.1:8000", "http://192.168.1.7:8000"],
  ["::1", "http://[::1]:8000", "http://[::1]:8000"],
  ["192.168.1.9", "http://192.168.1.9:8000", "http://192.168.1.9:8000"],
])("a daemon that listens on %s is reached at %s here and at %s from elsewhere", (host, here, elsewhere) => {
  expect(localUrl(host, 8000)).toBe(here);
  expect(networkUrl(host, 8000, INTERFACES)).toBe(elsewhere);
});

test("a machine without a network is reached at its loopback address", () => {
  expect(networkUrl("0.0.0.0", 8000, { lo: INTERFACES.lo })).toBe("http://127.0.0.1:8000");
});

test("host names are the machine's own name, its short and .local forms, and the configured ones", () => {
  expect(hostNames("Robot.Lan", ["Desk.Home"])).toEqual(["robot.lan", "robot", "robot.local", "desk.home"]);
});
