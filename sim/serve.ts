import type { LocalLink } from "./link/local-link.ts";
import type { Outlet } from "./link/outlet.ts";
import type { Recorder } from "./recorder.ts";

/** How often a simulated second the cable is looked after and motion recorded. */
const LOOKS = 50;

/** Seconds of lost simulation that somebody should know of. */
const WORTH_TELLING = 0.1;

export interface ServeOptions {
  readonly local: LocalLink;
  readonly outlet: Outlet;
  readonly recorder: Recorder | undefined;
  /** Takes sentences for people. */
  readonly tell: (text: string) => void;
}

/** Joins a simulated robot and its outlet until the returned function takes them apart. */
export async function serve({ local, outlet, recorder, tell }: ServeOptions): Promise<() => Promise<void>> {
  const { link, robot } = local;
  let plugged = true;
  let moving: Promise<void> = Promise.resolve();

  outlet.onData((bytes) => {
    recorder?.traffic("to", bytes);
    link.write(bytes);
  });
  link.onData((bytes) => {
    recorder?.traffic("from", bytes);
    outlet.send(bytes);
  });
  link.onEvent((event) => {
    if (event.kind === "reseated") tell("The head was pushed through its platform and put back.");
    else if (event.seconds >= WORTH_TELLING) {
      tell(`This machine is too slow: ${event.seconds.toFixed(1)} s of the simulation were left out.`);
    }
  });
  link.onScene(() => {
    recorder?.motion();
    const shall = robot.isPlugged;
    if (shall === plugged) return;
    plugged = shall;
    moving = moving.then(() => (shall ? plugIn() : pull()));
  });
  await link.watch(LOOKS);

  async function pull(): Promise<void> {
    await outlet.unplug();
    tell(`${outlet.address} is unplugged`);
  }
  async function plugIn(): Promise<void> {
    try {
      await outlet.plug();
      tell(`${outlet.address} is plugged in again`);
    } catch (error) {
      tell((error as Error).message);
    }
  }

  return async () => {
    await link.close();
    await moving;
    await outlet.close();
    await recorder?.close();
  };
}
