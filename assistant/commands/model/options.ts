import { type Command, Option } from "commander";
import { DEFAULT_SERVER_URLS, findServerUrl } from "../../../edit/model/find-server.ts";
import type { ModelServerOptions } from "../../../edit/model/http.ts";
import { identifyServer } from "../../../edit/model/identify.ts";
import { APIS, type Api, PROFILES, type ProfileName } from "../../../edit/model/profiles.ts";
import { serverAddress } from "../../../edit/model/server-address.ts";
import { serverClient } from "../../../edit/model/server-client.ts";
import { TERMINAL_SETTINGS } from "../../../edit/model/setting-names.ts";
import { loadLocalModel } from "../../../edit/model/transformers.ts";
import type { ModelClient } from "../../../edit/model/types.ts";
import { nonEmptyText, wholeNumber } from "../../../robot/command-line/values.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";
import { refuseUnused } from "../refuse-unused.ts";

/** The first address where a model server is looked for. */
export const [DEFAULT_SERVER_URL] = DEFAULT_SERVER_URLS;

/** What of a terminal a model needs; without somebody to ask, a server that asks for a long wait is an error. */
type ModelTerminal = Pick<Terminal, "cwd" | "env" | "signal"> & Partial<Pick<Terminal, "confirm">>;

/** The options that select a server, as commander parses them. */
interface ServerFlags {
  serverUrl?: string;
  json?: true;
  /** Seconds for a whole answer. */
  timeout?: number;
  model?: string;
}

/** The options that select a model, as commander parses them. */
export interface ModelFlags extends ServerFlags {
  profile?: ProfileName;
  api?: Api;
  stream: boolean;
  /** Folder of a model that runs in this process. */
  local?: string;
  dtype?: string;
  device?: string;
}

function withServerOptions(command: Command): Command {
  return command
    .option("--server-url <url>", "the model's server (default: ROBOT_MODEL_URL, else port 8001, 8000 or 30000)")
    .option(
      "--model <id>",
      "the model (default: ROBOT_MODEL, else the server's first)",
      nonEmptyText("the name of a model", "--model default"),
    )
    .option("--timeout <seconds>", "time for a whole answer (default: 120)", wholeNumber(1, 86_400, "--timeout 120"));
}

/** Adds the options that say how a server is asked for an edit in a format that its model was trained for. */
export const withFormatOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--profile <kind>", "with --format: the kind of server (default: detected)").choices(PROFILES),
    )
    .addOption(new Option("--api <name>", "with --format: rendered text, or chat turns").choices(APIS));

/** Adds the options that select a model, behind a server or in this process. */
export function withModelOptions(command: Command): Command {
  return withServerOptions(command)
    .option("--no-stream", "ask for the answer in one piece")
    .option(
      "--local <dir>",
      "run the model in a folder in this process, without a server",
      nonEmptyText("the model's folder", "--local ./model"),
    )
    .option(
      "--dtype <type>",
      "with --local: the precision, for example fp32, fp16, q8, q4",
      nonEmptyText("a precision", "--dtype q4"),
    )
    .option(
      "--device <device>",
      "with --local: for example cpu, cuda, webgpu, auto",
      nonEmptyText("a device", "--device cpu"),
    );
}

const OF_SERVERS = ["serverUrl", "model", "timeout", "stream", "profile", "api"];
const OF_LOCAL_MODELS = ["dtype", "device"];

/** Refuses options of a server for a model in this process, and the other way round. @throws WorkbenchError `usage` */
export function refuseUnusedModelOptions(command: Command, { local }: ModelFlags): void {
  if (local === undefined) refuseUnused(command, OF_LOCAL_MODELS, "without --local");
  else refuseUnused(command, OF_SERVERS, "with --local, which asks no server");
}

/** The server that ROBOT_MODEL_URL names, else the one that is found. An empty variable counts as not set. */
export async function defaultServerUrl({ env, signal }: Pick<Terminal, "env" | "signal">): Promise<string> {
  return env.ROBOT_MODEL_URL || (await findServerUrl(signal));
}

/** The model that --model or ROBOT_MODEL names. An empty variable counts as not set. */
export const chosenModel = ({ model }: ServerFlags, { env }: Pick<Terminal, "env">): string | undefined =>
  model ?? (env.ROBOT_MODEL || undefined);

/**
 * Address, token and time limit of a server; the token comes only from the environment.
 * @throws WorkbenchError `usage` for an invalid address, with the option or variable that has it
 */
async function serverOptions(flags: ServerFlags, terminal: ModelTerminal): Promise<ModelServerOptions> {
  const { ROBOT_MODEL_TOKEN: token } = terminal.env;
  const serverUrl = flags.serverUrl ?? (await defaultServerUrl(terminal));
  if (!/^https?:\/\/[^/\s]/.test(serverUrl) || !URL.canParse(serverUrl)) {
    const source = flags.serverUrl === undefined ? "ROBOT_MODEL_URL" : "--server-url";
    // It may have credentials, so it is not shown.
    throw new WorkbenchError("usage", `${source} is no address of HTTP; it must look like ${DEFAULT_SERVER_URL}.`);
  }
  const { confirm } = terminal;
  const confirmWait = (duration: string) =>
    confirm?.(`The model's server asks to wait ${duration}. Wait?`) ?? Promise.resolve(false);
  return {
    ...(flags.json ? {} : { confirmWait }),
    serverUrl,
    ...(token ? { token } : {}),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
  };
}

/**
 * Opens the model that the options select; what they leave out is asked of the server.
 * @param settings how messages name the settings
 * @throws WorkbenchError `usage` for an invalid address or a server without models, `model-missing` for a local model that
 *   cannot be loaded, `model-unreachable`, `model-failed` or `deadline-passed` when the server does not say what it is
 */
export async function openModel(
  flags: ModelFlags,
  terminal: ModelTerminal,
  settings = TERMINAL_SETTINGS,
): Promise<ModelClient> {
  const { local, dtype, device, profile, stream, api } = flags;
  if (local !== undefined) {
    return loadLocalModel({
      folder: local,
      cwd: terminal.cwd,
      ...(dtype ? { dtype } : {}),
      ...(device ? { device } : {}),
    });
  }
  const server = { ...(await serverOptions(flags, terminal)), settings };
  const model = chosenModel(flags, terminal);
  const found = profile && model ? undefined : await identifyServer(server, terminal.signal);
  const name = model ?? found?.models[0];
  if (name === undefined)
    throw new WorkbenchError(
      "usage",
      `${serverAddress(server.serverUrl).shown} names no model; give one with ${settings.model}.`,
    );
  const kind = profile ?? found?.profile ?? "openai";
  return serverClient({ ...server, model: name, profile: kind, stream, ...(api ? { api } : {}) });
}
