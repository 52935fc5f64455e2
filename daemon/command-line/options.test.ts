import { CommanderError } from "commander";
import { describe, expect, test } from "vitest";
import { dataDirOf, parseInvocation } from "./options.ts";

const ENV = { HOME: "/home/ada" };
const parse = (...args: string[]) => parseInvocation(args, ENV, "1.2.3", () => {});

/** What the command line prints before it gives up. */
function refusal(...args: string[]): string {
  let text = "";
  expect(() => parseInvocation(args, ENV, "1.2.3", (part) => (text += part))).toThrow(CommanderError);
  return text;
}

describe("the command line of robot-daemon", () => {
  test("listens on loopback, port 8000, by default", () => {
    expect(parse("--sim")).toMatchObject({
      command: "run",
      options: { sim: true, host: "127.0.0.1", port: 8000, dataDir: "/home/ada/.local/share/robot-daemon" },
    });
  });

  test("knows the contract's options (spec, section 4.1)", () => {
    expect(parse("--startup-app", "hello", "--wireless-version", "--no-wake-up-on-start")).toMatchObject({
      options: { startupApp: "hello", wirelessVersion: true, wakeUpOnStart: false, host: "0.0.0.0" },
    });
  });

  test("installs into the data folder named before or after the source", () => {
    const hubUrl = "https://huggingface.co";
    const wanted = {
      command: "install",
      source: "./app",
      isolated: false,
      json: false,
      dataDir: "/d",
      venv: "/d/apps_venv",
      hubUrl,
    };
    expect(parse("install", "./app", "--data-dir", "/d")).toEqual(wanted);
    expect(parse("--data-dir", "/d", "install", "./app")).toEqual(wanted);
  });

  test("shares the wireless robot's environment between all apps, or uses the one of --venv (spec, section 2.5)", () => {
    expect(parse("--wireless-version")).toMatchObject({ options: { venv: "/venvs/apps_venv" } });
    expect(parse("--wireless-version", "--venv", "/v")).toMatchObject({ options: { venv: "/v" } });
    expect(parse("--wireless-version", "install", "./app")).toMatchObject({ venv: "/venvs/apps_venv" });
  });

  test("accepts further host names, and shows the link of a daemon on the network", () => {
    expect(parse("--allow-host", "robot.lan", "--allow-host", "desk")).toMatchObject({
      options: { allowedHosts: ["robot.lan", "desk"] },
    });
    expect(parse("link", "--data-dir", "/d")).toEqual({
      command: "link",
      dataDir: "/d",
      host: "0.0.0.0",
      port: null,
      json: false,
    });
    expect(parse("link", "--port", "8000")).toMatchObject({ port: 8000 });
    expect(parse("link", "--json")).toMatchObject({ json: true });
  });

  test("has commands for assembling a robot", () => {
    expect(parse("scan", "--serialport", "/dev/ttyACM1")).toEqual({
      command: "scan",
      serialport: "/dev/ttyACM1",
      json: false,
    });
    expect(parse("setup-servo", "stewart_3")).toEqual({
      command: "setup-servo",
      serialport: null,
      joint: "stewart_3",
      id: null,
      agreed: false,
      json: false,
    });
    expect(parse("setup-servo", "13", "--id", "1", "--yes")).toMatchObject({ joint: "13", id: 1, agreed: true });
    expect(refusal("setup-servo", "13", "--id", "253")).toContain(
      "Use a whole number from 0 to 252, for example --id 13.",
    );
  });

  test("takes apps from the public hub by default", () => {
    expect(parse()).toMatchObject({ options: { hubUrl: "https://huggingface.co" } });
    expect(parse("--hub-url", "http://127.0.0.1:8003/")).toMatchObject({
      options: { hubUrl: "http://127.0.0.1:8003" },
    });
    expect(refusal("--hub-url", "ftp://x")).toContain("for example --hub-url https://huggingface.co");
    expect(refusal("--hub-url", "https://me:secret@hub.org")).toContain("a token goes into HF_TOKEN");
  });

  test("refuses with the value, the range and the next step", () => {
    expect(refusal("--port", "99999")).toMatch(/99999.*0 to 65535/s);
    expect(refusal("--grace-period", "-1")).toMatch(/'-1' is invalid. Use seconds above 0 and at most 120/);
    expect(refusal("--robot-timeout", "0")).toMatch(/above 0 and at most 120/);
    expect(refusal("--prot", "1")).toMatch(/--port/);
    expect(refusal("link", "extra")).toMatch(/too many arguments/);
  });

  test("asks a running daemon for what a command names", () => {
    const asked = { command: "app", dataDir: "/home/ada/.local/share/robot-daemon", url: null, json: false };
    expect(parse("list")).toEqual({ ...asked, action: { action: "list" } });
    expect(parse("start", "hello_robot", "--replace", "--json")).toEqual({
      ...asked,
      json: true,
      action: { action: "start", app: "hello_robot", replace: true },
    });
    expect(parse("start")).toEqual({ ...asked, action: { action: "start", app: null, replace: false } });
    expect(parse("stop", "hello_robot")).toEqual({ ...asked, action: { action: "stop", app: "hello_robot" } });
    expect(parse("logs", "-f", "-n", "7", "--url", "http://127.0.0.1:8123")).toEqual({
      ...asked,
      url: "http://127.0.0.1:8123",
      action: { action: "logs", app: null, lines: 7, follow: true },
    });
    expect(refusal("logs", "--lines", "0")).toContain("from 1 to 5000");
  });

  test("a command refuses and hides the options that it does not use", () => {
    expect(refusal("list", "--sim")).toContain(
      "option '--sim' is not an option of 'list'. It takes --url, --json, --data-dir.",
    );
    expect(refusal("stop", "--port", "8001")).toContain("Name the daemon with --url http://HOST:PORT.");
    expect(refusal("--port", "8001", "scan")).toContain("'--port' is not an option of 'scan'");
    let help = "";
    expect(() => parseInvocation(["install", "--help"], ENV, "", (text) => (help += text))).toThrow(CommanderError);
    expect(help).toContain("--hub-url");
    expect(help).not.toContain("--grace-period");
  });

  test("the help names the variables that it reads", () => {
    expect(refusal("--help")).toMatch(/Environment variables:\n +ROBOT_PYTHON +the Python that apps run with/);
  });

  test("finds the data folder without judging the rest", () => {
    expect(dataDirOf(["--bogus", "--data-dir=/x"], ENV)).toBe("/x");
    expect(dataDirOf(["--data-dir", "/y"], ENV)).toBe("/y");
    expect(dataDirOf([], { ...ENV, XDG_DATA_HOME: "/xdg" })).toBe("/xdg/robot-daemon");
  });
});
