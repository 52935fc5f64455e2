import { SimulatedTime } from "../../robot/wire/scene/simulated-time.ts";
import { ROBOT_CALLS, SIMULATION_CALLS } from "./call-table.ts";
import type { RobotProcessOptions } from "./process/robot-process.ts";
import { RobotSupervisor } from "./process/robot-supervisor.ts";
import type { Robot, Simulation } from "./robot.ts";
import { type CallMethod, deriveMethods, withDerivedMethods } from "./rpc/method-proxy.ts";
import { RpcClient } from "./rpc/rpc-client.ts";

interface StartRobotOptions extends RobotProcessOptions {
  /** Stops waiting for the robot to get ready. */
  signal?: AbortSignal;
}

/**
 * Starts the robot process and waits until the robot is running. A physical robot may also report why it is not
 * (`state.phase` is then `error`), and keeps retrying; a simulated one always gets ready. A process that is lost later is
 * replaced; the robot returned here stays the same.
 *
 * @throws WorkbenchError `robot-not-ready` when the process ends or takes longer than 30 s
 */
export async function startRobot({ signal, ...options }: StartRobotOptions): Promise<Robot> {
  const rpc = new RpcClient(options.clock);
  const supervisor = new RobotSupervisor(options, rpc);
  await supervisor.ready(signal ?? new AbortController().signal);
  return robotClient(supervisor, rpc, options.link === "sim");
}

/** The robot behind the channel. Only these members are written out; the other methods are derived. */
function robotClient(supervisor: RobotSupervisor, rpc: RpcClient, isSimulated: boolean): Robot {
  const remote = deriveMethods(rpc.methodsOf<Robot>("robot", ROBOT_CALLS));
  const call = rpc.methodsOf<Simulation>("simulation", SIMULATION_CALLS);
  const callAndHold: CallMethod<Simulation> = async (method, args) => {
    const result = await call(method, args);
    const { data: time } = SimulatedTime.safeParse(result);
    // A move that waits for a paused robot has not failed.
    if (time !== undefined) rpc.holdDeadlines(time.paused);
    return result;
  };
  const simulation = withDerivedMethods<Simulation>(
    { onScene: (listener) => supervisor.scenes.on(listener) },
    deriveMethods(callAndHold),
  );
  return withDerivedMethods<Robot>(
    {
      get state() {
        return supervisor.state;
      },
      onState: (listener) => supervisor.states.on(listener),
      onEvent: (listener) => supervisor.events.on(listener),
      simulation: isSimulated ? simulation : undefined,
      beginAppSession: (group) => supervisor.beginAppSession(group, () => remote.beginAppSession(group)),
      endAppSession: () => supervisor.endAppSession(() => remote.endAppSession()),
      close: () => supervisor.close(() => remote.close()),
    },
    remote,
  );
}
