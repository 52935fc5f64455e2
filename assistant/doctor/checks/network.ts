import { createServer } from "node:net";
import { portHolder } from "../../../common/machine/port-holder.ts";
import { serverAddress } from "../../../edit/model/server-address.ts";
import { DaemonClient } from "../../../robot/rest/daemon-client.ts";
import { daemonOf } from "../../dev/daemon/choose-daemon.ts";
import { isDaemonAt } from "../../dev/daemon/find-daemon.ts";
import { HubAccount } from "../../publish/hub/hub-account.ts";
import { findToken } from "../../publish/hub/token.ts";
import { type DoctorCheck, fail, ok, warn } from "../doctor-check.ts";

export const daemon: DoctorCheck = {
  id: "daemon",
  title: "Daemon",
  run: async ({ daemonUrl, dataDir, packageFolder, env, signal }) => {
    const status = await new DaemonClient({ url: daemonUrl, token: env.ROBOT_DAEMON_TOKEN ?? "", signal })
      .status()
      .catch(messageOf);
    if (typeof status === "string") {
      signal.throwIfAborted();
      const other = await daemonOf(["--data-dir", dataDir], { packageFolder, env, signal });
      if (other !== null) return ok(`${other.url}, ${other.daemon.version}, which uses the data folder`);
      if (/ECONNREFUSED/.test(status)) return ok(`none runs at ${daemonUrl} (robot-daemon --sim starts one)`);
      return fail(status, "Look at its log, or stop what else uses the port.");
    }
    const robot = status.simulation_enabled ? "a simulated robot" : "a physical robot";
    if (status.error)
      return warn(`${daemonUrl}, ${status.version}, ${robot}: ${status.error}`, "docs/troubleshooting.md");
    return ok(`${daemonUrl}, ${status.version}, ${robot}, ${status.state}`);
  },
};

/** Port of the settings pages in the templates. */
const PAGE_PORT = 8042;

export const ports: DoctorCheck = {
  id: "ports",
  title: "Ports",
  run: async ({ daemonUrl, signal }) => {
    const port = Number(new URL(daemonUrl).port || 80);
    const runs = await isDaemonAt(daemonUrl, signal);
    const taken = [...(runs || (await isFree(port)) ? [] : [port]), ...((await isFree(PAGE_PORT)) ? [] : [PAGE_PORT])];
    if (taken.length === 0) return ok(`${port}${runs ? " (the daemon's)" : ""} and ${PAGE_PORT} for pages can be used`);
    const holders = await Promise.all(taken.map(portHolder));
    const used = taken.map((each, index) => (holders[index] ? `${each} by ${holders[index]}` : `${each}`));
    return warn(`in use: ${used.join(", ")}`, "Stop the program that uses it, or choose another port with --port.");
  },
};

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

export const hub: DoctorCheck = {
  id: "hub",
  title: "Hub",
  run: async ({ hubUrl, signal }) => {
    const answered = await fetch(`${hubUrl}/api/spaces?limit=1`, { signal }).then(({ status }) => status, messageOf);
    if (typeof answered === "number" && answered < 500) return ok(hubUrl);
    return warn(`${hubUrl} does not answer (${answered})`, "Only installing from it and publishing need it.");
  },
};

export const token: DoctorCheck = {
  id: "token",
  title: "Token of the hub",
  run: async ({ hubUrl, env, signal }) => {
    const found = await findToken(env).catch(messageOfError);
    if (found instanceof Error) return warn("none, or not a token", found.message);
    const user = await new HubAccount(hubUrl, found, signal).user().catch(messageOfError);
    if (!(user instanceof Error)) return ok(`of ${user.name}`);
    return warn("there is one, but the hub does not accept it or does not answer", user.message);
  },
};

export const model: DoctorCheck = {
  id: "model",
  title: "Model's server",
  run: async ({ modelUrl, signal }) => {
    const { shown, authorization, endpoints } = serverAddress(modelUrl);
    const init = { signal, headers: authorization === undefined ? {} : { authorization } };
    const asked = endpoints("models").map((url) => fetch(url, init).then(({ status }) => status, messageOf));
    const answers = await Promise.all(asked);
    if (answers.some((answer) => answer === 200 || answer === 401)) return ok(shown);
    return warn(`none at ${shown} (${answers[0]})`, "Only edit and chat need one: docs/serving.md.");
  },
};

const messageOfError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function messageOf(error: unknown): string {
  const { message, cause } = messageOfError(error) as { message: string; cause?: { code?: string } };
  return cause?.code ?? message;
}
