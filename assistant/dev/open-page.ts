import { execa } from "execa";

/** Time for the program that opens pages to return. */
const OPEN_MS = 5000;

/**
 * Opens a page in the person's browser; returns whether that worked.
 * @param env BROWSER names another program
 */
export async function openPage(url: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const standard = process.platform === "darwin" ? "open" : "xdg-open";
  const { failed } = await execa(env.BROWSER || standard, [url], {
    env: { ...env },
    extendEnv: false,
    stdio: "ignore",
    timeout: OPEN_MS,
    reject: false,
  });
  return !failed;
}
