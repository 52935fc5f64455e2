import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../testing/deadline.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { ManualClock } from "../time/manual-clock.ts";
import { waitFor } from "../time/wait-for.ts";
import { packageIndexProblem } from "./package-index.ts";

/** An index of this machine that is open until the test ends, or that is closed. */
async function indexAt(state: "open" | "closed"): Promise<string> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  if (state === "open") onTestFinished(() => void server.close());
  else await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}/simple`;
}

/** What is found with these variables; the clock goes on by itself. */
async function problemWith(env: Record<string, string>, configFiles: string[] = []): Promise<string | null> {
  const clock = new ManualClock();
  const found: (string | null)[] = [];
  const { signal } = new AbortController();
  void packageIndexProblem({ env: { HOME: "/nowhere", ...env }, clock, signal, configFiles }).then((each) =>
    found.push(each),
  );
  await waitFor(DEADLINE_MS, "an answer", () => {
    clock.advance(1000);
    return found.length > 0;
  });
  return found[0] ?? null;
}

describe.runIf(process.platform === "linux")("the package index", () => {
  test("that refuses connections is named with the reason", async () => {
    expect(await problemWith({ PIP_INDEX_URL: await indexAt("closed") })).toBe("127.0.0.1: ECONNREFUSED");
  });

  test("that takes connections is no problem, whatever it answers", async () => {
    expect(await problemWith({ PIP_INDEX_URL: await indexAt("open") })).toBeNull();
  });

  test.each([
    { PIP_FIND_LINKS: "/wheels" },
    { PIP_NO_INDEX: "1" },
    { PIP_CONFIG_FILE: "/home/ada/pip.conf" },
    { HTTPS_PROXY: "http://proxy:3128" },
    { all_proxy: "socks5://proxy:1080" },
    { PIP_INDEX_URL: "file:///wheels/simple" },
    { PIP_INDEX_URL: "no address" },
  ])("is not judged with %o", async (env) => {
    expect(await problemWith({ PIP_INDEX_URL: await indexAt("closed"), ...env })).toBeNull();
  });

  test("is not judged where a file of pip names another one", async () => {
    const home = temporaryFolder("pip-");
    const file = path.join(home, "system.conf");
    writeFileSync(file, "[global]\ncert = /etc/ssl/cert.pem\n");
    const PIP_INDEX_URL = await indexAt("closed");
    expect(await problemWith({ PIP_INDEX_URL, HOME: home }, [file])).toContain("ECONNREFUSED");
    writeFileSync(file, "[global]\nfind-links = /wheels\n");
    expect(await problemWith({ PIP_INDEX_URL }, [file])).toBeNull();
    expect(await problemWith({ PIP_INDEX_URL, PIP_CONFIG_FILE: "/dev/null" }, [file])).toContain("ECONNREFUSED");
    await mkdir(path.join(home, ".config/pip"), { recursive: true });
    await writeFile(path.join(home, ".config/pip/pip.conf"), "[install]\nindex-url: https://mirror.example/simple\n");
    expect(await problemWith({ PIP_INDEX_URL, HOME: home })).toBeNull();
  });

  test("is no problem for a caller that has ended the search", async () => {
    const env = { HOME: "/nowhere", PIP_INDEX_URL: await indexAt("closed") };
    const signal = AbortSignal.abort();
    expect(await packageIndexProblem({ env, clock: new ManualClock(), signal, configFiles: [] })).toBeNull();
  });
});
