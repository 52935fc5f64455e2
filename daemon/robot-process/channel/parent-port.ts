import type { MessageFromRobotProcess } from "../../robot-client/messages.ts";
import { type CallMessage, isCallMessage } from "../../robot-client/rpc/call-message.ts";

/** What this process has of `process` when it was forked. */
type ForkedProcess = Pick<NodeJS.Process, "connected" | "send" | "on">;

/** The IPC channel to the main process, which forked this one. */
export class ParentPort {
  readonly #process: ForkedProcess;

  constructor(forked: ForkedProcess) {
    this.#process = forked;
  }

  /** Sends a message; `onSent` is called when it has left this process, or never will. */
  send(message: MessageFromRobotProcess, onSent: () => void = () => undefined): void {
    // Without a callback, a message on its way while the main process is killed would end this one with EPIPE.
    if (this.#process.connected) this.#process.send?.(message, undefined, undefined, onSent);
    else onSent();
  }

  onCall(listener: (call: CallMessage) => void): void {
    this.#process.on("message", (message) => {
      if (isCallMessage(message)) listener(message);
    });
  }

  /** Called once, when the main process has ended or has closed the channel; at once when it did so before this program ran. */
  onDisconnect(listener: () => void): void {
    if (this.#process.connected) this.#process.on("disconnect", listener);
    else listener();
  }
}
