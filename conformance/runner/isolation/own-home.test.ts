import fc from "fast-check";
import { expect, test } from "vitest";
import { withHome } from "./own-home.ts";

test("no variable leads an app into the home of the person who certifies it, but those by which programs are found", () => {
  const name = fc.constantFrom(
    "XDG_CONFIG_HOME",
    "HF_HOME",
    "PIP_CACHE_DIR",
    "PATH",
    "LD_LIBRARY_PATH",
    "TERM",
    "ZDOTDIR",
  );
  const value = fc.constantFrom("/home/ada", "/home/ada/x", "/usr:/home/ada/bin", "/home/adam", "xterm", "");
  fc.assert(
    fc.property(fc.dictionary(name, value), (others) => {
      const env = withHome({ ...others, HOME: "/home/ada" }, "/tmp/home");
      expect(env.HOME).toBe("/tmp/home");
      expect(env.XDG_CONFIG_HOME).toBeUndefined();
      for (const [key, text] of Object.entries(env))
        if (!/PATH$/.test(key)) expect(text?.split(":").some((part) => /^\/home\/ada(\/|$)/.test(part))).toBe(false);
      for (const key of ["PATH", "LD_LIBRARY_PATH", "TERM"])
        if (others[key] !== undefined && !(key === "TERM" && /ada(\/|$)/.test(others[key] ?? "")))
          expect(env[key]).toBe(others[key]);
    }),
  );
});
