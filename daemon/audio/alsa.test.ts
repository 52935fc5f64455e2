import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ManualClock } from "../apps/testing/manual-clock.ts";
import { AlsaMicrophone, AlsaSpeaker } from "./alsa.ts";

let folder: string;
let clock: ManualClock;
let faults: (string | null)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "alsa-"));
  clock = new ManualClock();
  faults = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program of ALSA's name that does what a test needs, since few test machines have a sound card. */
function program(name: "aplay" | "arecord", script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const options = () => ({
  device: "plughw:7",
  env: { PATH: `${folder}:/usr/bin:/bin`, OUT: join(folder, "out") },
  clock,
  onFault: (fault: string | null) => void faults.push(fault),
});
const soon = <T>(look: () => T) => vi.waitFor(look, { timeout: 10_000, interval: 10 });

describe("the speaker", () => {
  test("plays 16 kHz mono through aplay, behind a tenth of a second of silence, and lets go of the device at rest", async () => {
    program("aplay", 'echo "$@" > "$OUT.args"; cat > "$OUT"; mv "$OUT" "$OUT.done"');
    const speaker = new AlsaSpeaker(options());
    speaker.play(Int16Array.of(1, -2));
    speaker.play(Int16Array.of(3));
    clock.pass(1000);
    await soon(() => expect(existsSync(join(folder, "out.done"))).toBe(true));
    const bytes = readFileSync(join(folder, "out.done"));
    expect([...new Int16Array(new Uint8Array(bytes).buffer)]).toEqual([...Array(1600).fill(0), 1, -2, 3]);
    expect(readFileSync(join(folder, "out.args"), "utf8")).toContain("-f S16_LE -r 16000 -c 1 -D plughw:7");
    await soon(() => expect(faults).toEqual([null]));
    speaker.close();
  });

  test("says in one line why it does not play, and tries again five seconds later", async () => {
    program(
      "aplay",
      'echo "ALSA lib: a long way" >&2; echo "aplay: main:831: audio open error: No such device" >&2; exit 1',
    );
    const speaker = new AlsaSpeaker(options());
    speaker.play(Int16Array.of(1));
    await soon(() => expect(faults).toHaveLength(1));
    expect(faults[0]).toBe(
      "aplay -D plughw:7: audio open error: No such device; name another device (-L lists them) with --audio-device.",
    );
    clock.pass(4999);
    speaker.play(Int16Array.of(1));
    program("aplay", 'cat > "$OUT"');
    clock.pass(1);
    speaker.play(Int16Array.of(1));
    clock.pass(1000);
    await soon(() => expect(faults.at(-1)).toBe(null));
    expect(faults).toHaveLength(2);
    speaker.close();
  });

  test("names the package when aplay is missing", async () => {
    const speaker = new AlsaSpeaker({ ...options(), env: { PATH: folder } });
    speaker.play(Int16Array.of(1));
    await soon(() => expect(faults).toEqual(["aplay is missing; install the package alsa-utils."]));
  });
});

describe("the microphone", () => {
  test("hears what arecord records, whole samples only, until nobody listens", async () => {
    program("arecord", "printf '\\001\\000\\002'; sleep 0.2; printf '\\000\\003\\000'; exec sleep 60");
    const heard: number[] = [];
    const stop = new AlsaMicrophone(options()).start((samples) => void heard.push(...samples));
    await soon(() => expect(heard).toEqual([1, 2, 3]));
    expect(faults.every((fault) => fault === null)).toBe(true);
    stop();
  });

  test("is tried again while somebody listens", async () => {
    program("arecord", "exit 1");
    const heard: number[] = [];
    const stop = new AlsaMicrophone(options()).start((samples) => void heard.push(...samples));
    await soon(() => expect(faults).toHaveLength(1));
    expect(faults[0]).toContain("exit code 1");
    program("arecord", "printf '\\007\\000'; exec sleep 60");
    clock.pass(5000);
    await soon(() => expect(heard).toEqual([7]));
    expect(faults.at(-1)).toBe(null);
    stop();
  });
});
