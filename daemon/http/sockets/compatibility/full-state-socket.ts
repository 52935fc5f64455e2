import type { Clock } from "../../../../common/time/clock.ts";
import { positiveUpTo } from "../../../../robot/wire/quantities.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import type { Robot } from "../../../robot-client/robot.ts";
import { WebSocketEndpoint } from "../../connections/web-socket-endpoint.ts";
import { FullStateQuery, fullState } from "../../state/full-state.ts";
import { queryOf } from "./query.ts";

/** The state is measured this many times a second. */
const MAX_HZ = 50;

const Query = FullStateQuery.extend({
  frequency: positiveUpTo(1000, "hertz").default(10).describe("Messages per second; more than 50 count as 50"),
});

/** `/api/state/ws/full` of the public daemon: sends the state as often, and with the fields, that the address asks for. */
export function fullStateSocket(robot: Robot, clock: Clock): WebSocketEndpoint {
  return new WebSocketEndpoint({
    clock,
    maxMessageBytes: 1024,
    onConnect: ({ request, queue, scope }) => {
      const asked = queryOf(request);
      const { frequency, ...query } = parseOrThrow(
        Query,
        asked.frequency === undefined ? asked : { ...asked, frequency: Number(asked.frequency) },
        "query",
      );
      const send = () => queue.sendNewest("state", JSON.stringify(fullState(robot.state, query)));
      send();
      scope.repeat(clock, 1000 / Math.min(frequency, MAX_HZ), send);
    },
  });
}
