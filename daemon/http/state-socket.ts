import { type WebSocket, WebSocketServer } from "ws";
import type { Robot } from "../control/robot.ts";

/** A reader that is this far behind (bytes) misses states until it has caught up. */
const MAX_BACKLOG = 256_000;
/** Every second state of the 50 Hz: enough for eyes, half the work. */
const EVERY = 2;

/** `/ws/state`: the whole `RobotState` as JSON, 25 times a second, for the dashboard. */
export class StateSocket {
  readonly server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1024 });
  readonly #unsubscribe: () => void;
  #count = 0;

  constructor(robot: Robot) {
    this.server.on("connection", (socket: WebSocket) => {
      socket.on("error", () => socket.terminate());
      socket.send(JSON.stringify(robot.state));
    });
    this.#unsubscribe = robot.onState((state) => {
      this.#count += 1;
      if (this.#count % EVERY !== 0 || this.server.clients.size === 0) return;
      const text = JSON.stringify(state);
      for (const socket of this.server.clients) if (socket.bufferedAmount < MAX_BACKLOG) socket.send(text);
    });
  }

  close(): void {
    this.#unsubscribe();
    for (const socket of this.server.clients) socket.close(1001, "the daemon is shutting down");
    this.server.close();
  }
}
