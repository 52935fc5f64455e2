import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WORKSHOP_SECRET_HEADER } from "../../../robot/wire/workshop/access-secret.ts";
import { type Answer, startTestDaemon, type TestDaemon } from "../../http/testing/test-daemon.ts";
import type { Certify } from "../workshop-certifications.ts";

export const SECRET = "a-secret-of-the-test";
export const MAIN = "obedient/main.py";

/** An app that says a word and waits for its stop. */
export const mainThatSays = (word: string): string => `import signal
import threading

stop_event = threading.Event()
signal.signal(signal.SIGINT, lambda *_: stop_event.set())

if __name__ == "__main__":
    print("${word}", flush=True)
    while not stop_event.wait(0.01):
        pass
`;

const PROJECT = `[project]
name = "obedient"
version = "1.0.0"
[project.entry-points.robot_apps]
obedient = "obedient.main:main"
`;

/** A daemon with the workshop of an app in a folder of its own. */
export interface EditedApp {
  daemon: TestDaemon;
  folder: string;
  /** Sends a request with the secret. @param body as JSON; GET without one */
  send(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The JSON of a request that succeeds. */
  json<T>(path: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

/**
 * Starts a daemon that has the app installed from its folder as editable, and that folder as the workshop.
 * @param env variables of the daemon; besides its own @param certify stands in for certifications
 */
export async function startEditedApp(env: Record<string, string> = {}, certify?: Certify): Promise<EditedApp> {
  const place = await mkdtemp(join(await realpath(tmpdir()), "workshop "));
  const folder = join(place, "obedient");
  await mkdir(join(folder, "obedient"), { recursive: true });
  await writeFile(join(folder, "pyproject.toml"), PROJECT);
  await writeFile(join(folder, "obedient/__init__.py"), "");
  await writeFile(join(folder, MAIN), mainThatSays("kept"));
  const daemon = await startTestDaemon(["obedient"], {
    editable: folder,
    workshop: { folder, secret: SECRET, ...(certify && { certify }) },
    env: { ...env, XDG_STATE_HOME: join(place, "state") },
  });
  const send: EditedApp["send"] = (path, body, headers = {}) =>
    daemon.request(`/api/workshop/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        [WORKSHOP_SECRET_HEADER]: SECRET,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    daemon,
    folder,
    send,
    json: async (path, body) => {
      const { status, text } = await send(path, body);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return JSON.parse(text);
    },
    close: async () => {
      await daemon.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}
