import { type WebSocket, WebSocketServer } from "ws";
import { looksLike, type ObjectsFrame, objectsOf } from "../../robot/wire/objects-frame.ts";
import type { Simulation } from "../control/robot.ts";

/** A reader that is this far behind (bytes) misses scenes until it has caught up. */
const MAX_BACKLOG = 256_000;
/** Scenes a simulated second while somebody looks. */
const HZ = 25;

/**
 * `/ws/scene`: where the objects beside a simulated robot are, as `ObjectsFrame` in JSON. Told at once and whenever one
 * of them moved, came or went; the simulation is asked for scenes only while somebody looks.
 */
export class SceneSocket {
  readonly server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1024 });
  readonly #unsubscribe: () => void;
  readonly #simulation: Simulation;
  #last: ObjectsFrame | undefined;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.server.on("connection", (socket: WebSocket) => {
      socket.on("error", () => socket.terminate());
      socket.on("close", () => this.#watch());
      if (this.#last !== undefined) socket.send(JSON.stringify(this.#last));
      this.#watch();
    });
    this.#unsubscribe = simulation.onScene((scene) => {
      const objects = objectsOf(scene);
      if (this.#last !== undefined && looksLike(objects, this.#last)) return;
      this.#last = objects;
      const text = JSON.stringify(objects);
      for (const socket of this.server.clients) if (socket.bufferedAmount < MAX_BACKLOG) socket.send(text);
    });
  }

  close(): void {
    this.#unsubscribe();
    for (const socket of this.server.clients) socket.close(1001, "the daemon is shutting down");
    this.server.close();
  }

  /** What was seen before nobody looked is old by the next look. */
  #watch(): void {
    const seen = this.server.clients.size > 0;
    if (!seen) this.#last = undefined;
    // Refused by a robot's process that is gone: then nothing moves any more, and the page is told so by its state.
    this.#simulation.watch(seen ? HZ : 0).catch(() => {});
  }
}
