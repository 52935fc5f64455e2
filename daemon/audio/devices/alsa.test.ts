import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { AlsaMicrophone, AlsaSpeaker } from "./alsa.ts";

let folder: string;
let clock: ManualClock;
let faults: (string | null)[];
beforeEach(() => {
  folder = temporaryFolder("alsa-");
  clock = new ManualClock();
  faults = [];
});

/** Installs a script under the name of an ALSA program, because few test machines have a sound card. */
function installProgram(name: "aplay" | "arecord", script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const options = () => ({
  device: "plughw:7",
  env: { PATH: `${folder}:/usr/bin:/bin`, OUT: join(folder, "out") },
  clock,
  onFault: (fault: string | null) => void faults.push(fault),
});
const soon = <T>(look: () => T) => vi.waitFor(look, { timeout: DEADLINE_MS, interval: 10 });

describe("the speaker", () => {
  test("plays 16 kHz mono through aplay after 0.1 s of silence, and releases the device when idle", async () => {
    installProgram("aplay", 'echo "$@" > "$OUT.args"; cat > "$OUT"; mv "$OUT" "$OUT.done"');
    const speaker = new AlsaSpeaker(options());
    speaker.play(Int16Array.of(1, -2));
    speaker.play(Int16Array.of(3));
    clock.advance(1000);
    await soon(() => expect(existsSync(join(folder, "out.done"))).toBe(true));
    const bytes = readFileSync(join(folder, "out.done"));
    expect([...new Int16Array(new Uint8Array(bytes).buffer)]).toEqual([...Array(1600).fill(0), 1, -2, 3]);
    expect(readFileSync(join(folder, "out.args"), "utf8")).toContain("-f S16_LE -r 16000 -c 1 -D plughw:7");
    await soon(() => expect(faults).toEqual([null]));
    speaker.close();
  });

  test("reports the reason in one line, and retries after five seconds", async () => {
    installProgram(
      "aplay",
      'echo "ALSA lib: a long way" >&2; echo "aplay: main:831: audio open error: No such device" >&2; exit 1',
    );
    const speaker = new AlsaSpeaker(options());
    speaker.play(Int16Array.of(1));
    await soon(() => expect(faults).toHaveLength(1));
    expect(faults[0]).toBe(
      "aplay -D plughw:7: audio open error: No such device; name another device (-L lists them) with --audio-device.",
    );
    clock.advance(4999);
    speaker.play(Int16Array.of(1));
    installProgram("aplay", 'cat > "$OUT"');
    clock.advance(1);
    speaker.play(Int16Array.of(1));
    clock.advance(1000);
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
  test("passes on what arecord records, in whole samples", async () => {
    installProgram("arecord", "printf '\\001\\000\\002'; sleep 0.2; printf '\\000\\003\\000'; exec sleep 60");
    const received: number[] = [];
    const stop = new AlsaMicrophone(options()).start((samples) => void received.push(...samples));
    await soon(() => expect(received).toEqual([1, 2, 3]));
    expect(faults.every((fault) => fault === null)).toBe(true);
    stop();
  });

  test("is retried while it is started", async () => {
    installProgram("arecord", "exit 1");
    const received: number[] = [];
    const stop = new AlsaMicrophone(options()).start((samples) => void received.push(...samples));
    await soon(() => expect(faults).toHaveLength(1));
    expect(faults[0]).toContain("exit code 1");
    installProgram("arecord", "printf '\\007\\000'; exec sleep 60");
    clock.advance(5000);
    await soon(() => expect(received).toEqual([7]));
    expect(faults.at(-1)).toBe(null);
    stop();
  });
});
