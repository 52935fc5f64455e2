import type { LocalLink } from "./link/local-link.ts";
import type { Transport } from "./link/transport/transport.ts";
import type { Recorder } from "./recorder.ts";

/** Scenes per simulated second: at each one the cable is checked and motion is recorded. */
const SCENE_RATE = 50;

/** Lost simulated seconds from which a message is reported. */
const REPORTED_LOST_SECONDS = 0.1;

interface ServeOptions {
  readonly local: LocalLink;
  readonly transport: Transport;
  readonly recorder: Recorder | undefined;
  /** Called with messages for people. */
  readonly report: (text: string) => void;
}

/** Connects a simulated robot and its transport until the returned function is called. */
export async function serve({ local, transport, recorder, report }: ServeOptions): Promise<() => Promise<void>> {
  const { link, robot } = local;
  let plugged = true;
  let moving: Promise<void> = Promise.resolve();

  transport.onData((bytes) => {
    recorder?.traffic("to", bytes);
    if (transport.bitRate !== null) robot.servos.baudRate = transport.bitRate;
    link.write(bytes);
  });
  link.onData((bytes) => {
    recorder?.traffic("from", bytes);
    transport.send(bytes);
  });
  link.onEvent((event) => {
    if (event.kind === "platform-recovered")
      report(
        "A push broke the platform or threw the robot off the table; the robot was put back into an intact posture.",
      );
    else if (event.seconds >= REPORTED_LOST_SECONDS) {
      report(`This machine is too slow: ${event.seconds.toFixed(1)} s of simulated time were skipped.`);
    }
  });
  link.onScene(() => {
    recorder?.motion();
    const isPlugged = robot.isPlugged;
    if (isPlugged === plugged) return;
    plugged = isPlugged;
    moving = moving.then(() => (isPlugged ? plugIn() : pull()));
  });
  await link.watch(SCENE_RATE);

  async function pull(): Promise<void> {
    await transport.unplug();
    report(`${transport.address} is unplugged`);
  }
  async function plugIn(): Promise<void> {
    try {
      await transport.plug();
      report(`${transport.address} is plugged in again`);
    } catch (error) {
      report((error as Error).message);
    }
  }

  return async () => {
    await link.close();
    await moving;
    await transport.unplug();
    await recorder?.close();
  };
}
