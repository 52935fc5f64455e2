/** A length of time for people: 42 s, 3 min 05 s, 2 h 07 min, 3 days. @param least the smallest unit to show */
export function formatDuration(milliseconds: number, least: "seconds" | "minutes" = "seconds"): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds} s`;
  if (least === "minutes" && seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} days`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${twoDigits(Math.floor(seconds / 60) % 60)} min`;
}

/** Time of day with seconds, 24 hours. @param milliseconds since the epoch */
export function formatTimeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString("en-GB");
}

/** Whole degrees with a true minus sign, so that columns stay aligned. */
export function formatDegrees(value: number | undefined): string {
  if (value === undefined) return "–";
  const whole = Math.round(value);
  return `${whole < 0 ? "−" : ""}${Math.abs(whole)}°`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colour codes begin with ESC
const COLOUR_CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** A terminal line without its colour codes. */
export const stripColours = (text: string): string => text.replace(COLOUR_CODES, "");
