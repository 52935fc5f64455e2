import type { Setting, Stage } from "../runner/stage.ts";

/** One way to run the app. Whatever the app does is noted by the stage; only failures of the harness throw. */
export interface ScenePlan {
  id: string;
  title: string;
  /** Apps with a settings page only. */
  needsPage?: true;
  setting?: Setting;
  play(stage: Stage): Promise<void>;
}
