import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { pathsInMemory } from "./paths-in-memory.ts";

/** Builds the paths of its routes, so that no text of it names them. */
const APP = `
import sys
from fastapi import FastAPI, WebSocket

app = FastAPI()

@app.post("/" + "".join(["sec", "ret"]) + "-door/{angle}", include_in_schema=False)
def door(angle: float) -> None: ...

@app.get("/level/{value:float}")
def level(value: float) -> None: ...

@app.websocket("/" + "".join(["stre", "am"]))
async def stream(socket: WebSocket) -> None: ...

print("ready", flush=True)
sys.stdin.read()
`;

test.runIf(process.platform === "linux")(
  "routes of a running app are found that neither its files nor its document name",
  async () => {
    const app = spawn(".venv/bin/python", ["-c", APP], { stdio: ["pipe", "pipe", "inherit"] });
    const exit = once(app, "exit");
    onTestFinished(async () => {
      app.kill("SIGKILL");
      await exit;
    });
    await once(createInterface(app.stdout), "line");
    expect(await pathsInMemory([app.pid ?? 0])).toEqual(
      expect.arrayContaining(["/level/{value}", "/secret-door/{angle}", "/stream"]),
    );
  },
);

test("a process that has ended has no routes", async () => {
  const app = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(app, "exit");
  expect(await pathsInMemory([app.pid ?? 0])).toEqual([]);
});
