// The apps of a generated catalogue, each with the verdict that it is made to get.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Name of every generated app; its folder has another one. */
const APP = "soak_app";
const MAIN = `${APP}/main.py`;

/** A kind of app: how it differs from one that meets every requirement, and its verdict in the short tier. */
export interface Kind {
  name: string;
  share: number;
  verdict: string;
  requirement: string | null;
  change: (edit: Edit) => void;
}

interface Edit {
  /** Replaces a text of main.py. */
  main: (find: string, put: string) => void;
  remove: (file: string) => void;
  write: (file: string, content: string) => void;
}

const RUN = "        seconds = 0.0\n";
const LOOP = "while not stop_event.is_set():";
const WRAPPED = "        app.wrapped_run()\n";

const KINDS: Kind[] = [
  { name: "good", share: 51, verdict: "conformant", requirement: null, change: () => {} },
  {
    name: "unsteady",
    share: 5,
    verdict: "conformant",
    requirement: null,
    change: ({ main }) => main(RUN, `        time.sleep(__import__("random").uniform(0, 2))\n${RUN}`),
  },
  {
    name: "huge",
    share: 2,
    verdict: "conformant",
    requirement: null,
    change: ({ write }) => {
      for (let file = 0; file < 1000; file += 1) write(`data/${file}.txt`, `${file}\n`.repeat(200));
      write("data/large.bin", "0123456789abcdef".repeat(1_250_000));
    },
  },
  broken("without-page", 8, "PKG-001", ({ remove }) => remove("index.html")),
  broken("without-readme", 6, "PKG-004", ({ remove }) => remove("README.md")),
  broken("crashes-at-import", 4, "LIFE-001", ({ main }) => main("PERIOD_S = 0.02\n", 'PERIOD_S = {}["period"]\n')),
  broken("exits-with-3", 4, "LIFE-003", ({ main }) => main(WRAPPED, `${WRAPPED}        raise SystemExit(3)\n`)),
  broken("sleeps-too-long", 3, "LIFE-003", ({ main }) => main("time.sleep(PERIOD_S)", "time.sleep(15)")),
  broken("starts-a-thread", 4, "PKG-010", ({ main }) =>
    main("PERIOD_S = 0.02\n", "PERIOD_S = 0.02\nthreading.Thread(target=time.sleep, args=(0.1,)).start()\n"),
  ),
  broken("beyond-the-limits", 4, "MOT-001", ({ main }) =>
    main("[0.5 * swing, 0.5 * swing]", "[3.6 * swing, 3.6 * swing]"),
  ),
  broken("hides-a-process", 3, "LIFE-006", ({ main }) =>
    main(
      RUN,
      '        import subprocess\n\n        subprocess.Popen(["/bin/sleep", "301"], start_new_session=True, env={})\n' +
        RUN,
    ),
  ),
  broken("kills-the-harness", 3, "LIFE-003", ({ main }) =>
    main(
      RUN,
      "        import os\n        import signal\n\n        signal.signal(signal.SIGINT, signal.SIG_IGN)\n" +
        "        kill = threading.Timer(1, os.kill, (os.getppid(), signal.SIGKILL))\n" +
        `        kill.daemon = True\n        kill.start()\n${RUN}`,
    ),
  ),
  broken("ignores-stops", 2, "LIFE-003", ({ main }) => main(LOOP, "while True:")),
  {
    name: "hangs-when-built",
    share: 1,
    verdict: "error",
    requirement: null,
    change: ({ write }) => write("setup.py", "import time\n\nwhile True:\n    time.sleep(1)\n"),
  },
];

function broken(name: string, share: number, requirement: string, change: Kind["change"]): Kind {
  return { name, share, verdict: "not-conformant", requirement, change };
}

/**
 * The kinds of `count` apps, in random order: by their shares, each at least once where there are enough.
 * @param random from 0 to 1
 */
export function planKinds(count: number, random: () => number) {
  const [good, ...rest] = KINDS;
  const others = rest.flatMap((kind) => Array(Math.max(1, Math.round((kind.share * count) / 100))).fill(kind));
  const plan = [...Array(Math.max(1, count - others.length)).fill(good), ...others].slice(0, count);
  const keyed = plan.map((kind) => ({ kind, key: random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ kind }) => kind);
}

/**
 * Writes an app, different from all others in one file.
 * @param template folder of an app named soak_app that meets every requirement
 */
export function writeApp(template: string, into: string, kind: Kind, number: number) {
  const folder = join(into, `${String(number).padStart(5, "0")}-${kind.name}`);
  cpSync(template, folder, { recursive: true });
  writeFileSync(join(folder, "number.txt"), `${number}\n`);
  kind.change({
    main: (find, put) => {
      const text = readFileSync(join(folder, MAIN), "utf8");
      if (!text.includes(find)) throw new Error(`${JSON.stringify(find)} is not in the template's main.py`);
      writeFileSync(
        join(folder, MAIN),
        text.replace(find, () => put),
      );
    },
    remove: (file) => rmSync(join(folder, file)),
    write: (file, content) => {
      mkdirSync(join(folder, file, ".."), { recursive: true });
      writeFileSync(join(folder, file), content);
    },
  });
  return folder;
}

export { APP };
