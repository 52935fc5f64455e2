import path from "node:path";
import { Command } from "commander";
import { wholeNumber, words } from "../../robot/command-line/values.ts";
import { openHub } from "../hub/hub.ts";
import type { Terminal } from "../terminal.ts";

const HELP = `
The hub speaks git over HTTP and the JSON interface that @huggingface/hub and the daemon use. It listens on 127.0.0.1
only. Without a seed its user is "maker", with the tokens hf_local_write and hf_local_read.

Example:
  robot-app-assistant hub --seed fixtures/hub
  robot-daemon --sim --hub-url http://127.0.0.1:8003`;

/** `hub`: a hub of spaces on this machine, to publish to and install from without an account. */
export function hubCommand(terminal: Terminal): Command {
  return new Command("hub")
    .description("Run a hub of app spaces on this machine, for developers and tests.")
    .option("--port <number>", "port to listen on; 0 takes a free one", wholeNumber(0, 65_535, "--port 8003"), 8003)
    .option(
      "--data-dir <folder>",
      "where the repositories are kept",
      words("a folder", "--data-dir ./hub"),
      defaultDataDir(terminal),
    )
    .option(
      "--seed <folder>",
      "spaces and accounts to begin with, such as fixtures/hub",
      words("a folder", "--seed fixtures/hub"),
    )
    .addHelpText("after", HELP)
    .action((given: Flags) => serve(given, terminal));
}

interface Flags {
  port: number;
  dataDir: string;
  seed?: string;
}

async function serve(given: Flags, terminal: Terminal): Promise<void> {
  const hub = await openHub({
    dataDir: path.resolve(terminal.cwd, given.dataDir),
    port: given.port,
    ...(given.seed === undefined ? {} : { seed: path.resolve(terminal.cwd, given.seed) }),
    searchPath: terminal.env.PATH ?? "",
    now: () => terminal.now().getTime(),
    onDefect: (error) => terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`),
  });
  const tokens = Object.entries(hub.accounts).map(([token, { user, role }]) => `  ${token}  ${user}, ${role}\n`);
  terminal.out(`The hub is open at ${hub.url}\nIts tokens, for HF_TOKEN or as git's password:\n${tokens.join("")}`);
  await new Promise<void>((resolve) => {
    if (terminal.signal.aborted) resolve();
    terminal.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await hub.close();
}

function defaultDataDir({ env }: Terminal): string {
  return path.join(env.XDG_DATA_HOME || path.join(env.HOME ?? "/", ".local/share"), "robot-hub");
}
