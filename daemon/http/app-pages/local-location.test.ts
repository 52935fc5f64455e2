import fc from "fast-check";
import { expect, test } from "vitest";
import { PROPERTY_RUNS } from "../../../common/testing/property-runs.ts";
import { localLocation } from "./forward.ts";

const APP = "http://localhost:7000";
const PAGE = "http://robot.local:9000";
/** Where a browser goes from a page at an origin. */
const follow = (location: string, origin: string): URL | null =>
  URL.canParse(location, `${origin}/a/b?c`) ? new URL(location, `${origin}/a/b?c`) : null;

const piece = fc.constantFrom(
  ..."/\\.:@?#a%\t ".split(""),
  ...[
    "//",
    "evil",
    "localhost:7000",
    "127.0.0.1:7000",
    "[::1]:7000",
    "http:",
    "HTTP://",
    "https://",
    "..",
    "%2f",
    "7000",
  ],
);

test.each([
  [`${APP}//evil`, "//evil"],
  [`${APP}/\\evil`, "//evil"],
  [`${APP}///evil/x?y#z`, "///evil/x"],
  ["//localhost:7000//evil", "//evil"],
  [`HTTP://127.0.0.1:7000/x`, "/x"],
])("a redirect of an app to itself, %s, stays on its page", (location, path) => {
  const to = follow(localLocation(location, "/", { port: 7000 }), PAGE);
  expect([to?.origin, to?.pathname]).toEqual([PAGE, path]);
});

test("a redirect leads to the page where the app means itself, and else where the app says", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const location = pieces.join("");
      const meant = follow(location, APP);
      fc.pre(meant !== null);
      const to = follow(localLocation(location, "/a/b?c", { port: 7000 }), PAGE);
      const isApp = meant.port === "7000" && /^https?:$/.test(meant.protocol);
      const isOwnHost = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(meant.hostname);
      expect([location, to?.origin, to?.pathname]).toEqual([
        location,
        isApp && isOwnHost ? PAGE : meant.origin,
        meant.pathname,
      ]);
    }),
    { numRuns: 4 * PROPERTY_RUNS },
  );
});
