import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";

const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of a Chromium of this machine, or undefined when there is none. */
export const browserPath = PLACES.find((path): path is string => path !== undefined && existsSync(path));

/**
 * A browser that takes every name ending in `.example` for this machine, as a rebinding name server would make it, and
 * that does not protect local servers by itself, as not every browser does.
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

/** Script of a function `attack(base)` that tries everything a page can against a daemon. */
export const HOSTILE_SCRIPT = readFileSync(new URL("../../../fixtures/pages/hostile.js", import.meta.url), "utf8");

/** Some other web site, on another port of this machine. */
export async function openSite(): Promise<Site> {
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
