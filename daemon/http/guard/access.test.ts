import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type Access, checkAccess } from "./access.ts";

const LOCAL: Access = { loopback: true, names: [], token: null };
const NETWORK: Access = { loopback: false, names: ["robot", "robot.local"], token: "open-sesame" };
const TOKEN = { authorization: "Bearer open-sesame" };

/** The code of the refusal, or "welcome". */
function verdict(headers: Record<string, string>, access = LOCAL, method = "POST"): string {
  try {
    checkAccess({ method, headers } as unknown as IncomingMessage, access);
    return "welcome";
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
  ])("%s is this machine", (host) => expect(verdict({ host })).toBe("welcome"));

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
  ])('the Host "%s" is refused', (host) => expect(verdict({ host })).toBe("host-refused"));

  test.each([
    ["http://localhost:8000", "welcome"],
    ["http://localhost:3000", "origin-refused"],
    ["https://localhost:8000", "origin-refused"],
    ["http://127.0.0.1:8000", "origin-refused"],
    ["http://localhost:8000.evil.example", "origin-refused"],
    ["null", "origin-refused"],
    ["", "origin-refused"],
  ])("the Origin %s at localhost:8000: %s", (origin, wanted) =>
    expect(verdict({ host: "localhost:8000", origin })).toBe(wanted),
  );

  test.each(["cross-site", "same-site"])(
    "what a page of another site loads without an Origin is refused (%s)",
    (site) => {
      const image = {
        host: "localhost:8000",
        "sec-fetch-site": site,
        "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "image",
      };
      const frame = { ...image, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      const link = { ...image, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect(verdict(image, LOCAL, "GET")).toBe("origin-refused");
      expect(verdict(frame, LOCAL, "GET")).toBe("origin-refused");
      expect(verdict(link, LOCAL, "POST")).toBe("origin-refused");
      expect(verdict(link, LOCAL, "GET")).toBe("welcome");
    },
  );
});

describe("on the network", () => {
  test.each(["robot:8000", "Robot.local:8000", "192.168.1.7:8000", "[fe80::1]:8000", "localhost:8000"])(
    "%s is this robot",
    (host) => expect(verdict({ host, ...TOKEN }, NETWORK)).toBe("welcome"),
  );

  test("a name of somebody else is refused even with the token: it may be rebound", () => {
    expect(verdict({ host: "robot.evil.example:8000", ...TOKEN }, NETWORK)).toBe("host-refused");
  });

  test.each([
    [{ authorization: "Bearer open-sesame" }, "welcome"],
    [{ cookie: "theme=dark; robot_token=open-sesame" }, "welcome"],
    [{ cookie: "not_robot_token=open-sesame" }, "token-required"],
    [{ authorization: "Bearer open-sesam" }, "token-required"],
    [{ authorization: "Basic open-sesame" }, "token-required"],
    [{ authorization: "Bearer " }, "token-required"],
    [{}, "token-required"],
  ])("%j: %s", (headers, wanted) => expect(verdict({ host: "robot:8000", ...headers }, NETWORK)).toBe(wanted));
});
