/** Seconds between blinks, and of one blink. */
const INTERVAL = 5.2;
const DURATION = 0.2;

/** How closed the eyes are at a time in seconds, 0 to 1: closed while asleep, and a blink now and then. */
export function eyelidClosure(now: number, awake: boolean, reducedMotion: boolean): number {
  if (!awake) return 1;
  if (reducedMotion) return 0;
  const phase = now % INTERVAL;
  return phase < DURATION ? Math.sin((Math.PI * phase) / DURATION) ** 2 : 0;
}

/** Seconds until the next blink begins. */
export function secondsUntilBlink(now: number): number {
  return INTERVAL - (now % INTERVAL);
}
