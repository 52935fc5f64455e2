/** Seconds between blinks, and of one blink. */
const RHYTHM = 5.2;
const BLINK = 0.2;

/** How closed the eyes are, 0 to 1, at a time in seconds: a blink now and then, and shut while the robot sleeps. */
export function eyelids(now: number, awake: boolean, calm: boolean): number {
  if (!awake) return 1;
  if (calm) return 0;
  const phase = now % RHYTHM;
  return phase < BLINK ? Math.sin((Math.PI * phase) / BLINK) ** 2 : 0;
}

/** Seconds until the next blink begins. */
export function untilBlink(now: number): number {
  return RHYTHM - (now % RHYTHM);
}
