import { type Signal, signal } from "@preact/signals";
import { DEGREE } from "../../common/degree.ts";
import { LatestSender } from "../../common/latest-sender.ts";
import type { Client } from "../connection/client.ts";

/** What a person sets by hand, with its range in the unit that is shown. */
export const SLIDERS = [
  { key: "yaw", label: "Head yaw", unit: "°", range: 60 },
  { key: "pitch", label: "Head pitch", unit: "°", range: 35 },
  { key: "roll", label: "Head roll", unit: "°", range: 35 },
  { key: "z", label: "Head height", unit: " mm", range: 25 },
  { key: "bodyYaw", label: "Body", unit: "°", range: 150 },
  { key: "right", label: "Right antenna", unit: "°", range: 150 },
  { key: "left", label: "Left antenna", unit: "°", range: 150 },
] as const;

type Key = (typeof SLIDERS)[number]["key"];
type Pose = Readonly<Record<Key, number>>;

const DEFAULT: Pose = { yaw: 0, pitch: 0, roll: 0, z: 0, bodyYaw: 0, right: 0, left: 0 };
const BUILT_IN = "built-in";
/** Seconds of the way back to the middle. */
const CENTRE_S = 0.8;

const bodyOf = ({ yaw, pitch, roll, z, bodyYaw, right, left }: Pose) => ({
  head_pose: { x: 0, y: 0, z: z / 1000, roll: roll * DEGREE, pitch: pitch * DEGREE, yaw: yaw * DEGREE },
  antennas: [right * DEGREE, left * DEGREE],
  body_yaw: bodyYaw * DEGREE,
});

/** Moves the robot by sliders and recorded moves. */
export class ManualControl {
  readonly #client: Client;
  readonly #report: (error: unknown) => void;
  readonly #targets: LatestSender<Pose>;
  readonly pose: Signal<Pose> = signal(DEFAULT);
  /** Names of the recorded moves; null until they are loaded. */
  readonly moves = signal<readonly string[] | null>(null);

  constructor(client: Client, report: (error: unknown) => void) {
    this.#client = client;
    this.#report = report;
    this.#targets = new LatestSender((pose) => client.post("/api/move/set_target", bodyOf(pose)).catch(report));
  }

  set(key: Key, value: number): void {
    this.pose.value = { ...this.pose.peek(), [key]: value };
    void this.#targets.send(this.pose.peek());
  }

  readonly centre = (): Promise<unknown> => {
    this.pose.value = DEFAULT;
    return this.#client.post("/api/move/goto", { ...bodyOf(DEFAULT), duration: CENTRE_S }).catch(this.#report);
  };

  async loadMoves(): Promise<void> {
    if (this.moves.peek() !== null) return;
    const path = `/api/move/recorded-move-datasets/list/${BUILT_IN}`;
    await this.#client.get<string[]>(path).then((moves) => {
      this.moves.value = moves;
    }, this.#report);
  }

  readonly play = (move: string): Promise<unknown> =>
    this.#client
      .post(`/api/move/play/recorded-move-dataset/${BUILT_IN}/${encodeURIComponent(move)}`)
      .catch(this.#report);
}
