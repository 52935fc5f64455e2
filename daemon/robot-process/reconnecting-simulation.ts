import { Emitter, type Unsubscribe } from "../../common/emitter.ts";
import type { ByteLink } from "../../robot/servo/byte-link.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Scene } from "../../robot/wire/scene/scene-frame.ts";
import type { Simulation } from "../robot-client/robot.ts";
import { type CallMethod, deriveMethods, withDerivedMethods } from "../robot-client/rpc/method-proxy.ts";
import type { RobotTime } from "./control/loop/rewinds.ts";

/** A link to a simulated robot also leads to the world around it. */
type SimulatedLink = ByteLink &
  Simulation & {
    readonly robotTime: RobotTime;
    onEvent(listener: (event: { readonly kind: string }) => void): Unsubscribe;
  };

/**
 * One simulation over links that come and go: each `open` makes a link, and calls go to the last one. The frequency of scenes
 * is kept for the next link.
 */
export function reconnectingSimulation(connect: () => Promise<SimulatedLink>): {
  open: () => Promise<ByteLink>;
  simulation: Simulation;
  robotTime: RobotTime;
  /** The listener is called when a push has turned the platform inside out and it was put together again. */
  onPlatformRecovered(listener: () => void): Unsubscribe;
} {
  const scenes = new Emitter<Scene>();
  const recoveries = new Emitter<void>();
  let keptHz: number | undefined;
  let current: SimulatedLink | undefined;
  const open = async (): Promise<ByteLink> => {
    const link = await connect();
    link.onScene((scene) => scenes.emit(scene));
    link.onEvent(({ kind }) => {
      if (kind === "platform-recovered") recoveries.emit();
    });
    if (keptHz !== undefined) await link.watch(keptHz);
    current = link;
    return link;
  };
  const call: CallMethod<Simulation> = async (method, args) => {
    if (current !== undefined) return Reflect.apply(current[method], current, args);
    throw new WorkbenchError("robot-not-ready", "The simulated robot is still being started; try again in a second.");
  };
  const simulation = withDerivedMethods<Simulation>(
    {
      onScene: (listener) => scenes.on(listener),
      watch: async (hz) => {
        await current?.watch(hz);
        keptHz = hz;
      },
    },
    deriveMethods(call),
  );
  const robotTime = {
    get factor() {
      return current?.robotTime.factor ?? 1;
    },
    get rewinds() {
      return current?.robotTime.rewinds ?? 0;
    },
  };
  return { open, simulation, robotTime, onPlatformRecovered: (listener) => recoveries.on(listener) };
}
