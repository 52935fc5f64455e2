import { useSignal } from "@preact/signals";
import { DEGREE } from "../../common/degree.ts";
import type { Pose } from "../../robot/description/frames.ts";
import { rpyOf } from "../../robot/kinematics/pose.ts";
import { Button } from "../../ui/components/buttons.tsx";
import type { MotionSample } from "../../ui/motion/motion.ts";
import { MotionComparison } from "../../ui/motion/motion-comparison.tsx";
import type { RobotViewOptions } from "../../ui/viewer/index.ts";
import { usePage } from "../shell/context.ts";
import { Dialog } from "../shell/dialog.tsx";
import type { EditSession } from "./edit-session.ts";
import "./compare-dialog.css";

const PLOTTED = [
  {
    label: "Yaw of the head (°)",
    value: ({ headPose }: MotionSample) => rpyOf(headPose as unknown as Pose).yaw / DEGREE,
  },
  { label: "Right antenna (°)", value: ({ antennas }: MotionSample) => (antennas[0] ?? 0) / DEGREE },
];

const createView = async (canvas: HTMLCanvasElement, options: RobotViewOptions) =>
  (await import("../../ui/viewer/index.ts")).createRobotView(canvas, options);

/** Two tries over each other. Either can be taken up again. */
export function CompareDialog({ session, close }: { session: EditSession; close(): void }) {
  const { theme } = usePage();
  const tries = session.recordings.list.value;
  const chosen = useSignal<[number, number]>([tries.at(-2)?.id ?? 0, tries.at(-1)?.id ?? 0]);
  const [one, other] = chosen.value.map((id) => tries.find((each) => each.id === id) ?? tries[0]);
  const choose = (place: 0 | 1, id: number) => {
    chosen.value = place === 0 ? [id, chosen.value[1]] : [chosen.value[0], id];
  };
  if (one === undefined || other === undefined) return null;
  return (
    <Dialog title="Compare two tries" class="compare" close={close}>
      <MotionComparison
        robot={one}
        ghost={other}
        theme={theme}
        createView={createView}
        pictureLabel="One try as the robot, the other as its ghost"
        ghostLabel="Show the other try as a ghost"
        plots={[PLOTTED]}
      />
      {([one, other] as const).map((each, place) => (
        <div key={place} class="row compare-try">
          <label>
            {place === 0 ? "Robot, solid lines: " : "Ghost, dashed lines: "}
            <select
              class="field"
              value={each.id}
              onChange={({ currentTarget }) => choose(place as 0 | 1, Number(currentTarget.value))}
            >
              {tries.map(({ id, changes }) => (
                <option key={id} value={id}>
                  Try {id}
                  {changes.length === 0 ? " (as kept)" : ""}
                </option>
              ))}
            </select>
          </label>
          <Button
            small
            onClick={() => {
              session.restoreTry(each);
              close();
            }}
          >
            Take try {each.id} into the editor
          </Button>
        </div>
      ))}
    </Dialog>
  );
}
