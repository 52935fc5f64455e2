import { expect, test } from "vitest";
import { clientKey } from "./client-key.ts";

test.each([
  ["127.0.0.1", "loopback"],
  ["127.9.9.9", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["192.168.1.7", "192.168.1.7"],
  ["::ffff:192.168.1.7", "192.168.1.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["2001::", "2001:0:0:0::/64"],
])("%s counts as %s", (remoteAddress, counted) => {
  expect(clientKey({ remoteAddress })).toBe(counted);
});
