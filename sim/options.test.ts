import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULT_KINDS } from "./faults/fault.ts";
import { parseOptions } from "./options.ts";

function parse(...args: string[]) {
  const texts = { out: "", err: "" };
  const write = (to: "out" | "err") => (text: string) => {
    texts[to] += text;
  };
  try {
    return { ...texts, options: parseOptions(args, "1.2.3", { writeOut: write("out"), writeErr: write("err") }) };
  } catch {
    return texts;
  }
}

test("the defaults are a device path, real time and no faults", () => {
  const { options } = parse() as { options: unknown };
  expect(options).toEqual({
    tcp: null,
    wireDelay: false,
    freeBase: false,
    seed: 1,
    supply: 7,
    speed: 1,
    faults: [],
    freshServo: null,
    record: null,
    viewerPort: 0,
  });
  expect(parse("--pty")).toMatchObject({ options });
});

test("all options together", () => {
  const given = parse(
    ..."--tcp 0 --wire-delay --free-base --seed 7 --speed max --record run.jsonl --headless --fault drop --fault stuck:servo=11,at=5".split(
      " ",
    ),
  );
  expect(given).toMatchObject({
    options: {
      tcp: 0,
      wireDelay: true,
      freeBase: true,
      seed: 7,
      speed: "max",
      record: "run.jsonl",
      viewerPort: null,
      faults: [{ kind: "drop" }, { kind: "stuck", joints: ["stewart_1"], from: 5 }],
    },
  });
});

test.each([
  ["--tcp", "70000", /whole number from 0 to 65535/],
  ["--speed", "0", /max, or a number above 0 and at most 100/],
  ["--speed", "fast", /max, or a number above 0/],
  ["--seed", "-1", /whole number/],
  ["--fault", "dorp", /no fault "dorp"; there are drop/],
  ["--pty", "--tcp=1", /--pty or --tcp, not both/],
  ["bogus", "", /"bogus" is no command of robot-sim\. It takes options only\./],
  ["--sneed", "1", /unknown option.*Did you mean one of --seed, --speed/s],
])("%s %s is refused with a hint", (option, value, message) => {
  const given = parse(option, value);
  expect(given.err).toMatch(message);
  expect(given).not.toHaveProperty("options");
});

test("--help lists every fault and its parameters", () => {
  const { out } = parse("--help");
  for (const [kind, { values }] of Object.entries(FAULT_KINDS)) {
    const line = out.split("\n").find((one) => one.startsWith(`  ${kind} `)) ?? "";
    for (const key of Object.keys(values)) expect(line).toContain(`${key}=`);
    expect(line).not.toBe("");
  }
  expect(parse("--version").out).toBe("1.2.3\n");
});

test("docs/simulator.md explains every fault", () => {
  const page = readFileSync(new URL("../docs/simulator.md", import.meta.url), "utf8");
  for (const kind of Object.keys(FAULT_KINDS)) expect(page).toContain(`\`${kind}\``);
});
