/** A length of time for people: 42 s, 3 min 05 s, 2 h 07 min, 3 days; in whole minutes: 3 min. */
export function duration(milliseconds: number, least: "seconds" | "minutes" = "seconds"): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds} s`;
  if (least === "minutes" && seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} days`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
}

/** Time of day with seconds, 24 hours. */
export function clock(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString("en-GB");
}

/** Whole degrees with a true minus sign, so that columns do not jump. */
export function degrees(value: number | undefined): string {
  if (value === undefined) return "–";
  const whole = Math.round(value);
  return `${whole < 0 ? "−" : ""}${Math.abs(whole)}°`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colour codes begin with ESC
const COLOUR_CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** A terminal line without its colours. */
export const plain = (text: string): string => text.replace(COLOUR_CODES, "");
