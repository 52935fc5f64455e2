import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { devNull, homedir } from "node:os";
import path from "node:path";
import { type Clock, sleep } from "../time/clock.ts";
import { userFolder } from "./user-folders.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface PackageIndexOptions {
  env: Environment;
  clock: Clock;
  /** Ends the attempts; the index counts as reachable then. */
  signal: AbortSignal;
  /** Files in which pip finds options, besides those of the user. */
  configFiles?: readonly string[];
}

const PUBLIC_INDEX = "https://pypi.org/simple";
const SYSTEM_CONFIG_FILES = ["/etc/pip.conf", "/etc/xdg/pip/pip.conf"];

/** What makes pip take packages from elsewhere, or on another way: then only pip knows whether it reaches them. */
const OTHER_SOURCES = ["PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_PROXY"];
const PROXIES = ["https_proxy", "http_proxy", "all_proxy"];
const CONFIGURED_SOURCES = /^\s*(?:no[-_]index|find[-_]links|(?:extra[-_])?index[-_]url|proxy)\s*[=:]/m;

/** A machine without a network has one of them. An index that is slow, or that answers something else, has none. */
const UNREACHABLE = /^(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH)$/;
const ATTEMPTS = 2;
/** Milliseconds between two attempts: a network may just be coming up. */
const PAUSE_MS = 1000;

/**
 * Why pip cannot reach its package index, as `pypi.org: EAI_AGAIN`; null when it can, or when that cannot be known without
 * pip, for example behind a proxy.
 */
export async function packageIndexProblem(options: PackageIndexOptions): Promise<string | null> {
  const { env, clock, signal } = options;
  const index = env.PIP_INDEX_URL || PUBLIC_INDEX;
  // macOS may have a proxy in its settings.
  if (process.platform !== "linux" || !URL.canParse(index) || (await hasOtherSources(options))) return null;
  const { protocol, hostname, port } = new URL(index);
  if (protocol !== "https:" && protocol !== "http:") return null;
  const host = hostname.replace(/^\[|\]$/g, "");
  for (let attempt = 1; ; attempt += 1) {
    const code = await connectProblem(host, Number(port) || (protocol === "https:" ? 443 : 80), signal);
    if (signal.aborted || !UNREACHABLE.test(code ?? "")) return null;
    if (attempt === ATTEMPTS) return `${hostname}: ${code}`;
    await sleep(clock, PAUSE_MS, signal);
  }
}

async function hasOtherSources({ env, configFiles = SYSTEM_CONFIG_FILES }: PackageIndexOptions): Promise<boolean> {
  if (OTHER_SOURCES.some((name) => env[name])) return true;
  if (PROXIES.some((name) => env[name] || env[name.toUpperCase()])) return true;
  // So pip reads no file at all.
  if (env.PIP_CONFIG_FILE === devNull) return false;
  if (env.PIP_CONFIG_FILE) return true;
  const home = env.HOME || homedir();
  const ofUser = [path.join(userFolder("config", "pip", env), "pip.conf"), path.join(home, ".pip/pip.conf")];
  const texts = await Promise.all([...configFiles, ...ofUser].map((file) => readFile(file, "utf8").catch(() => "")));
  return texts.some((text) => CONFIGURED_SOURCES.test(text));
}

/** The code of the error with which a connection fails; null when it succeeds. */
function connectProblem(host: string, port: number, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal })
      .once("connect", () => {
        socket.destroy();
        resolve(null);
      })
      .on("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? null));
  });
}
