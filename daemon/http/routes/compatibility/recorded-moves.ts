import { z } from "zod";
import type { MoveLibrary } from "../../../moves/move-library.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { closeSignalOf } from "../../connections/scope.ts";
import { type Route, routesOf } from "../../rest/route.ts";
import type { StartMove } from "../motion.ts";

const { get, post } = routesOf("motion");

const DATASETS = [":dataset", ":owner/:dataset"];

const datasetOf = ({ owner, dataset = "" }: Record<string, string>) =>
  owner === undefined ? dataset : `${owner}/${dataset}`;

/** Routes that list recorded moves and play them. A data set is `NAME` or, in a folder or on the hub, `OWNER/NAME`. */
export function recordedMoveRoutes(robot: Robot, library: MoveLibrary, startMove: StartMove): Route[] {
  return DATASETS.flatMap((dataset) => [
    get(`/api/move/recorded-move-datasets/list/${dataset}`, {
      summary: "The recorded moves of a data set: built-in, a folder below moves, a data set of the hub or a package",
      result: z.array(z.string()),
      errors: ["move-not-found", "bad-request", "hub-unreachable"],
      handle: ({ params }) => library.list(datasetOf(params)),
    }),
    post(`/api/move/play/recorded-move-dataset/${dataset}/:move`, {
      summary: "Play a recorded move; replaces a running move",
      result: z.object({ uuid: z.string() }),
      errors: ["move-not-found", "bad-request", "hub-unreachable", "robot-not-ready", "robot-fault", "motors-off"],
      handle: async ({ params, response }) => {
        const frames = await library.frames(datasetOf(params), params.move ?? "", closeSignalOf(response));
        return startMove((id) => robot.play(frames, id));
      },
    }),
  ]);
}
