import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of this machine's Chromium; undefined when there is none. */
export const browserPath = CANDIDATES.find((path): path is string => path !== undefined && existsSync(path));

/**
 * Starts a browser that resolves every name ending in `.example` to this machine, as a rebinding name server would. Its
 * own protection of local servers is off, because not every browser has it.
 */
export function openBrowser(executablePath: string, args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--host-resolver-rules=MAP *.example 127.0.0.1",
      "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--no-proxy-server",
      ...args,
    ],
  });
}

export interface Site {
  port: number;
  close(): void;
}

/** Script with a function `attack(base)` that tries everything that a page can do to a daemon. */
export const HOSTILE_SCRIPT = readFileSync(new URL("../../../fixtures/pages/hostile.js", import.meta.url), "utf8");

/** Starts another web site on another port of this machine. */
export async function startOtherSite(): Promise<Site> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>another site</title><body></body>");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
