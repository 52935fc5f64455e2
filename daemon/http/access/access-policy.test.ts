import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type AccessPolicy, checkAccess } from "./access-policy.ts";

const LOCAL: AccessPolicy = { loopback: true, names: [], token: null };
const NETWORK: AccessPolicy = { loopback: false, names: ["robot", "robot.local"], token: "open-sesame" };
const TOKEN = { authorization: "Bearer open-sesame" };

/** Returns the error code of the refusal, or "accepted". */
function check(headers: Record<string, string>, access = LOCAL, method = "POST", url = "/"): string {
  try {
    const rawHeaders = Object.entries(headers).flat();
    checkAccess({ method, url, headers, rawHeaders } as unknown as IncomingMessage, access);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("on loopback", () => {
  test.each([
    "localhost",
    "localhost:8000",
    "LOCALHOST:8000",
    "localhost.",
    "127.0.0.1:8000",
    "127.8.8.8",
    "[::1]:8000",
  ])("the Host %s is accepted", (host) => expect(check({ host })).toBe("accepted"));

  test.each([
    "",
    "evil.example:8000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost:80:80",
    "10.0.0.7:8000",
    "[::2]:8000",
    "::1",
    "a@localhost",
  ])('the Host "%s" is refused', (host) => expect(check({ host })).toBe("host-refused"));

  test.each([
    ["http://localhost:8000", "accepted"],
    ["http://localhost:3000", "origin-refused"],
    ["https://localhost:8000", "origin-refused"],
    ["http://127.0.0.1:8000", "origin-refused"],
    ["http://localhost:8000.evil.example", "origin-refused"],
    ["null", "origin-refused"],
    ["", "origin-refused"],
  ])("the Origin %s at localhost:8000: %s", (origin, wanted) =>
    expect(check({ host: "localhost:8000", origin })).toBe(wanted),
  );

  test.each(["cross-site", "same-site"])(
    "a subresource of another site's page, without an Origin, is refused (%s)",
    (site) => {
      const image = {
        host: "localhost:8000",
        "sec-fetch-site": site,
        "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "image",
      };
      const frame = { ...image, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      const link = { ...image, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect(check(image, LOCAL, "GET")).toBe("origin-refused");
      expect(check(frame, LOCAL, "GET")).toBe("origin-refused");
      expect(check(link, LOCAL, "POST")).toBe("origin-refused");
      expect(check(link, LOCAL, "GET")).toBe("accepted");
    },
  );
});

test("the host of an address counts as the Host header does", () => {
  expect(check({ host: "localhost" }, LOCAL, "GET", "http://evil.example/healthz")).toBe("host-refused");
  expect(check({ host: "evil.example" }, LOCAL, "GET", "http://localhost/healthz")).toBe("host-refused");
  expect(check({ host: "localhost" }, LOCAL, "GET", "http://localhost:8000/healthz")).toBe("accepted");
});

test.each([
  ["/", "accepted"],
  ["/?token=abc", "accepted"],
  ["/docs", "accepted"],
  ["/errors/motors-off", "accepted"],
  ["/api/move/recorded-move-datasets/list/somebody/moves", "origin-refused"],
  ["/api/apps/catalogue?refresh=true", "origin-refused"],
  ["/errors/../api/apps/list", "origin-refused"],
  ["http://localhost:8000/", "origin-refused"],
])("a link of another site to %s: %s, because only pages are for links", (url, wanted) => {
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  expect(check({ host: "localhost:8000", ...link }, LOCAL, "GET", url)).toBe(wanted);
  const typed = { ...link, "sec-fetch-site": "none" };
  expect(check({ host: "localhost:8000", ...typed }, LOCAL, "GET", url)).toBe("accepted");
});

describe("on the network", () => {
  test.each(["robot:8000", "Robot.local:8000", "192.168.1.7:8000", "[fe80::1]:8000", "localhost:8000"])(
    "the Host %s is accepted",
    (host) => expect(check({ host, ...TOKEN }, NETWORK)).toBe("accepted"),
  );

  test("an unknown name is refused even with the token, because it may be rebound", () => {
    expect(check({ host: "robot.evil.example:8000", ...TOKEN }, NETWORK)).toBe("host-refused");
  });

  test.each([
    [{ authorization: "Bearer open-sesame" }, "accepted"],
    [{ cookie: "theme=dark; robot_token=open-sesame" }, "accepted"],
    [{ cookie: "not_robot_token=open-sesame" }, "token-required"],
    [{ authorization: "Bearer open-sesam" }, "token-required"],
    [{ authorization: "Basic open-sesame" }, "token-required"],
    [{ authorization: "Bearer " }, "token-required"],
    [{}, "token-required"],
  ])("%j: %s", (headers, wanted) => expect(check({ host: "robot:8000", ...headers }, NETWORK)).toBe(wanted));
});
