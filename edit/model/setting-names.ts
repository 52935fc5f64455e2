/** How messages name the settings of a model server: a terminal has other ones than the dashboard. */
export interface SettingNames {
  /** What names the server. */
  server: string;
  /** What names the model. */
  model: string;
  /** What to do about an answer that takes too long, as a sentence. */
  moreTime: string;
}

export const TERMINAL_SETTINGS: SettingNames = {
  server: "--server-url or ROBOT_MODEL_URL",
  model: "--model or ROBOT_MODEL",
  moreTime: "Allow more time with --timeout.",
};

const BEFORE_START = "in the terminal, before dev or the daemon is started";
export const DASHBOARD_SETTINGS: SettingNames = {
  server: `ROBOT_MODEL_URL ${BEFORE_START}`,
  model: `ROBOT_MODEL ${BEFORE_START}`,
  moreTime: "Ask for a smaller change.",
};
