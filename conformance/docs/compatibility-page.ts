import { readFileSync } from "node:fs";
import { COMPATIBILITY_ROUTES } from "../../daemon/http/routes/compatibility/compatibility.ts";
import { DIALECTS } from "../../robot/dialects/dialects.ts";

/** Calls of the SDK that are not supported, with the reason; names as in `lab/ecosystem/sdk_surface.py`. */
export const UNSUPPORTED_CALLS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("../../lab/ecosystem/not-here.json", import.meta.url), "utf8"),
);
/** Results of the calls per SDK version, as last written by `npm run ecosystem -- versions`. */
export const VERSIONS: Readonly<Record<string, { ok: number; notHere: number; absent: number; failed: number }>> =
  JSON.parse(readFileSync(new URL("../../lab/ecosystem/versions.json", import.meta.url), "utf8"));

interface Thread {
  readonly wants: string;
  /** What is said beside the yes. */
  readonly note?: string;
  /** Why there is no scenario. */
  readonly notHere?: string;
  /** What the public daemon did, as last written by `npm run ecosystem -- threads`: `yes`, or `no: ` and the step that failed. */
  readonly peer?: string;
  /** Why its scenario cannot be run on the public daemon. */
  readonly notRun?: string;
}

/** Threads of users of the public robot by their tags in `features/`: `rm`, `da` or `ca`, and the number. */
export const THREADS: Readonly<Record<string, Thread>> = JSON.parse(
  readFileSync(new URL("../../lab/ecosystem/threads.json", import.meta.url), "utf8"),
);
const TRACKERS: Readonly<Record<string, string>> = {
  rm: "reachy_mini",
  da: "reachy-mini-desktop-app",
  ca: "reachy_mini_conversation_app",
};
export const THREAD_TAG = /^(rm|da|ca)(\d+)$/;
const SURFACE = readFileSync(new URL("../../lab/ecosystem/sdk_surface.py", import.meta.url), "utf8");

/** The calls of `sdk_surface.py`, in their order. */
export function surfaceCalls(): string[] {
  const calls = [...SURFACE.matchAll(/^row\(\s*"([^"]+)"|^ {4}"(media\.[^"]+)":/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  const gotos = ["linear", "minjerk", "ease_in_out", "cartoon"].map((method) => `goto_target(${method})`);
  return [...new Set([...gotos, ...calls])].filter((name) => !name.startsWith("every "));
}

/** The pages that are generated, by their paths. */
export const compatibilityPages = (): Record<string, string> => ({
  "docs/compatibility.md": guide(),
  "docs/compatibility-reference.md": reference(),
});

function threadRow([tag, { wants, note, notHere, peer, notRun }]: [string, Thread]): string {
  const [, tracker = "", number] = THREAD_TAG.exec(tag) ?? [];
  const link = `[${tracker}#${number}](https://github.com/pollen-robotics/${TRACKERS[tracker]}/issues/${number})`;
  const here = notHere ?? (note === undefined ? "yes" : `yes: ${note}`);
  const there = peer ?? (notRun === undefined ? "" : `not run, because ${notRun}`);
  return `| ${link} | ${wants} | ${here} | ${there} |`;
}

function guide(): string {
  const names = (label: string, value: (dialect: (typeof DIALECTS)[number]) => string) =>
    `| ${label} | ${DIALECTS.map((dialect) => `\`${value(dialect)}\``).join(" | ")} |`;
  return `# Compatibility
Apps for the public robot Reachy Mini run here unmodified: install, start, stop, check and certify them like any other app.
[Call by call and route by route](compatibility-reference.md) lists what is the same. Both pages are generated from the code;
\`npm run ecosystem\` runs the SDK and the apps, and a test compares pages and code.
\`npm run ecosystem -- peer\` runs the public daemon on \`robot-sim\`, driven by its own SDK.

\`\`\`sh
npx robot-app-assistant create my_reachy_app --dialect reachy_mini
npx robot-app-assistant check ./my_reachy_app
\`\`\`

## Dialects
An app uses the names of one column. The entry-point group of its package selects the column.

| | ${DIALECTS.map(({ title }) => title).join(" | ")} |
|---|${DIALECTS.map(() => "---|").join("")}
${[
  names("entry-point group", ({ group }) => group),
  names("tag of the space", ({ tag }) => tag),
  names("SDK on the Python index", ({ sdk }) => sdk.distribution),
  names("module", ({ sdk }) => sdk.module),
  names("base class", ({ sdk }) => sdk.appClass),
  names("robot", ({ sdk }) => sdk.robotClass),
].join("\n")}

The public SDK looks for the daemon at port 8000, whatever the environment says: its apps need the daemon's default port. It is
installed as a dependency of the app, with everything that it needs. Its programs run on the daemon's machine: on the network the
daemon asks for a token, which that SDK cannot send, so the daemon is not announced there by the name that the SDK looks for.

Sound and picture work in every program that a Python with \`robot-sdk\` runs: in apps that the daemon or \`certify\` starts, and in
those that you start by hand with the apps' environment, \`apps_venv/bin/python -m my_app.main\`. \`media\` hears the robot's microphone
and plays on its speaker, in simulation too ([Sound](audio.md)), and needs no GStreamer for it. \`robot-sdk\` has a module that Python
runs at its start; when a program imports the public SDK, it gives that SDK's local backend the daemon's sound. App and SDK stay as
they are. In an environment without \`robot-sdk\`, a program has no sound: the daemon reports \`no_media\`.

The simulated robot has the real one's camera ([Camera](simulator.md#camera)): \`get_frame()\` returns what the head sees of the table
and its objects, \`look_at_image()\` works in it, and \`robot-daemon --camera FILE\` shows a picture instead. Nobody is in the drawn room,
so no face is found. For a physical robot, \`get_frame()\` returns None and \`look_at_image()\` raises an error, unless \`--camera\` names
a picture. SDK versions before 1.6 have no camera here.

Installing the SDK builds PyGObject, which needs the system's GObject:
\`apt install build-essential pkg-config python3-dev libcairo2-dev libgirepository1.0-dev gir1.2-gst-plugins-base-1.0\`.

Where they are missing, \`certify\` says so and judges nothing (\`error\`), because its control app of this SDK cannot be installed either.

\`certify\` judges only what the app controls. The public SDK itself goes on without the settings page when its port is
taken, and does not connect again after an outage of the daemon: that part of UI-002, and RES-006, are not judged.

Apps of other authors may behave otherwise in a simulation. \`--report-simulation no\` tells them that the robot is a real one,
and \`--robot-name\` gives it the name that they look for.

## Recorded moves
\`GET /api/move/recorded-move-datasets/list/DATASET\` lists the moves of a data set,
\`POST /api/move/play/recorded-move-dataset/DATASET/MOVE\` plays one. A data set is:

- \`built-in\`: \`nod\`, \`shake\`, \`look_around\`, \`sway\`, \`cheer\`;
- \`OWNER/NAME\`: the folder \`moves/OWNER/NAME\` of the data folder, else the data set of that name on the hub, which is fetched into
  that folder when it is first asked for. Remove the folder to fetch it anew;
- \`NAME\`: the folder \`moves/NAME\`, else a Python package of that name in the apps' environment with such files.

Each move is a JSON file, as in the public libraries of moves. A sound beside it is not played.

Many apps load the public emotions or dances themselves, often while they are imported. Without a network, and so in \`certify\`,
\`snapshot_download\` and \`RecordedMoves\` find what is cached, then what the daemon has fetched into \`moves\` beside its environment, and
then moves of \`robot-sdk\` under the names of those libraries. With a network they fetch the libraries as ever.

## What users of the public robot asked for
Public threads of its users. Each row is a scenario with the thread's tag, most of them in \`features/threads/\`, or says why it is not here:
\`npm run features -- --tags @rm1401\`. The last column is the public daemon 1.13.0 on \`robot-sim\`, in the same scenario with the same
apps in its dialect: \`npm run ecosystem -- threads\`; a no is followed by the step that it did not meet.

| thread | what the user wants | here | there |
|---|---|---|---|
${Object.entries(THREADS).map(threadRow).join("\n")}
`;
}

function reference(): string {
  const calls = surfaceCalls().map(
    (name) => `| \`${name}\` | ${UNSUPPORTED_CALLS[name] ? "not here" : "same"} | ${UNSUPPORTED_CALLS[name] ?? ""} |`,
  );
  const versions = Object.entries(VERSIONS).map(
    ([version, { ok, notHere, absent, failed }]) => `| ${version} | ${ok} | ${notHere} | ${absent} | ${failed} |`,
  );
  const routes = COMPATIBILITY_ROUTES.map(
    ({ method, path, here, note }) => `| \`${method} ${path}\` | ${here} | ${note} |`,
  );
  return `# Compatibility, call by call and route by route
What the SDK and the daemon of the public robot do, and whether it is the same here. [Compatibility](compatibility.md) says how to use
such apps.

## The SDK, call by call
Of \`reachy-mini\` 1.13.0. The body's yaw stays until a message names another one, and with the automatic body yaw it follows a
head that is turned more than 65 degrees from it; a move that another one supersedes ends without an exception; poses that are
nearly rigid and antennas beyond their range are followed as far as is safe.

| call | here | |
|---|---|---|
${calls.join("\n")}

## The SDK, version by version
The calls above, as \`npm run ecosystem -- versions\` ran them last. Older versions lack some; up to 1.4.1 the SDK speaks another
protocol.

| version | ok | not here | not in this version | failed |
|---|---|---|---|---|
${versions.join("\n")}

## The daemon, route by route
Same: same address and fields. Better: the same, and right where the public daemon answers with an error of its own or another
thing than it says. Not here: answered with 501 and what to use instead.

| route | here | |
|---|---|---|
${routes.join("\n")}
`;
}
