import { createServer, type Server } from "node:net";
import { portHolder } from "../../common/machine/port-holder.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";

interface Address {
  host: string;
  port: number;
}

/**
 * Connections that wait to be accepted, more than any client may have open at a time. When they are too many, the system
 * drops a request to connect, which the client repeats after a second (listen(2), tcp_max_syn_backlog in tcp(7)).
 */
const BACKLOG = 4096;

/** Explanations of the system's error codes. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: "the name cannot be resolved",
  EAI_AGAIN: "the name cannot be resolved",
  EADDRNOTAVAIL: "this is not an address of this machine",
  EACCES: "ports below 1024 need privileges; choose a higher one with --port",
};

/** Opens a port. @throws WorkbenchError `usage` with the reason and the next step */
export function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = LISTEN_ERRORS[error.code ?? ""] ?? error.message;
      if (error.code === "EADDRINUSE")
        return void portHolder(port).then((holder) => reject(takenBy(port, holder)), reject);
      const next = "Use --host 127.0.0.1 for this machine only, or --host 0.0.0.0 for the network.";
      reject(new WorkbenchError("usage", `Cannot listen on ${host}, port ${port}: ${reason}. ${next}`));
    });
    server.listen({ port, host, backlog: BACKLOG }, () => resolve());
  });
}

function takenBy(port: number, holder: string | null): WorkbenchError {
  const what = `Port ${port} is taken${holder === null ? "" : ` by ${holder}`}`;
  const stop = holder === null ? "stop the program that uses it (often another robot-daemon)" : "stop it";
  return new WorkbenchError("usage", `${what}: ${stop} or choose another with --port.`);
}

/**
 * Fails where `listen` would fail, for a program that opens its port only after steps that take long.
 * @throws as `listen`
 */
export async function checkCanListen(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}
