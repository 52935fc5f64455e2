import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Route } from "../../rest/route.ts";

/** A route of the public daemon (1.13.0), and what ours makes of it. WS is a WebSocket. */
interface CompatibilityRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "WS";
  /** With parameters as `{name}`. */
  readonly path: string;
  /** `same`: same address and fields. `better`: same, and the note says what is right here. `not here`: answered with 501. */
  readonly here: "same" | "better" | "not here";
  /** How it is better, or why it is not here and what to use instead. */
  readonly note: string;
}

type Method = CompatibilityRoute["method"];
type Address = `${Method} /${string}`;

function route(address: Address, here: CompatibilityRoute["here"], note: string): CompatibilityRoute {
  const [method, path] = address.split(" ") as [Method, string];
  return { method, path, here, note };
}
const same = (address: Address) => route(address, "same", "");
const better = (address: Address, note: string) => route(address, "better", note);
const notHere = (address: Address, note: string) => route(address, "not here", note);

const HUB_TOKEN = "Log in with a token: POST /api/hf-auth/save-token, or HF_TOKEN in the daemon's environment.";
const RELAY = "There is no relay: the robot is reached on its own network only.";
const SYSTEM = "The machine belongs to its owner: its system sets up the network.";
const UPDATES = "Update the package with npm: npm install robot-daemon.";
const UPLOADS = "Only built-in sounds are played by name; an app sends its own over /ws/audio.";

/** Every route of the public daemon. The documentation and the answers of those that are not here derive from it. */
export const COMPATIBILITY_ROUTES: readonly CompatibilityRoute[] = [
  same("WS /ws/sdk"),
  same("POST /health-check"),
  same("GET /api/apps/list-available"),
  same("GET /api/apps/list-available/{source_kind}"),
  better("POST /api/apps/install", "An install that fails changes nothing; the job says why."),
  better("POST /api/apps/remove/{app_name}", "An unknown app is 404, not 500."),
  better("GET /api/apps/job-status/{job_id}", "Stage, percent and the code of the error as well."),
  same("WS /api/apps/ws/apps-manager/{job_id}"),
  better("POST /api/apps/start-app/{app_name}", "An unknown app is 404, not 500; two starts at once have one winner."),
  same("POST /api/apps/start-app/{app_name}/no-evict"),
  same("POST /api/apps/restart-current-app"),
  better(
    "POST /api/apps/stop-current-app",
    "Ends all processes of the app, and the robot returns to its default pose.",
  ),
  better("GET /api/apps/current-app-status", "A crashed app does not block the next start."),
  same("GET /api/apps/startup-app"),
  same("PUT /api/apps/startup-app"),
  notHere("POST /api/apps/install-private-space", "POST /api/apps/install installs private spaces too, with HF_TOKEN."),
  better("GET /api/apps/check-updates", "A list of the apps with updates, with both revisions."),
  same("POST /api/apps/update/{app_name}"),
  notHere("POST /api/audio/config/apply", "It sets up the sound chip of the real robot."),
  notHere("GET /api/audio/config/parameter/{name}", "It reads the sound chip of the real robot."),
  notHere("POST /cache/clear-hf", "Apps are fetched into a folder that is removed after the install."),
  notHere("POST /cache/reset-apps", "Remove single apps with POST /api/apps/remove/{name}."),
  better("GET /api/camera/specs", "The matrix is that of the frames here, 1280x720; a robot without a camera says so."),
  same("POST /api/daemon/start"),
  same("POST /api/daemon/stop"),
  same("POST /api/daemon/restart"),
  same("GET /api/daemon/status"),
  same("GET /api/daemon/robot-name"),
  notHere("POST /api/daemon/robot-name", "Start the daemon with --robot-name."),
  same("GET /api/daemon/hardware-id"),
  same("GET /api/daemon/robot-app-lock-status"),
  better(
    "POST /api/hf-auth/save-token",
    "Until the daemon ends; HF_TOKEN in its environment stays for its next start.",
  ),
  better("GET /api/hf-auth/status", "Answers at once, without asking the hub."),
  notHere("GET /api/hf-auth/relay-status", RELAY),
  same("DELETE /api/hf-auth/token"),
  notHere("POST /api/hf-auth/refresh-relay", RELAY),
  notHere("GET /api/hf-auth/central-robot-status", RELAY),
  notHere("GET /api/hf-auth/oauth/configured", HUB_TOKEN),
  notHere("GET /api/hf-auth/oauth/start", HUB_TOKEN),
  notHere("GET /api/hf-auth/oauth/begin", HUB_TOKEN),
  notHere("GET /api/hf-auth/oauth/status/{session_id}", HUB_TOKEN),
  notHere("DELETE /api/hf-auth/oauth/session/{session_id}", HUB_TOKEN),
  notHere("POST /api/hf-auth/oauth/device/start", HUB_TOKEN),
  notHere("GET /api/hf-auth/oauth/device/status/{session_id}", HUB_TOKEN),
  notHere("DELETE /api/hf-auth/oauth/device/session/{session_id}", HUB_TOKEN),
  notHere("GET /api/hf-auth/oauth/callback", HUB_TOKEN),
  better("GET /api/kinematics/info", "The joints with their limits, instead of the name of a solver."),
  better("GET /api/kinematics/urdf", "Masses, joints and frames, with the same names, and no files of shapes to find."),
  notHere("GET /api/kinematics/stl/{filename}", "The dashboard draws the robot from its own description."),
  notHere("WS /logs/ws/daemon", "GET /api/events has the log of the daemon and of the app."),
  same("POST /api/media/release"),
  same("POST /api/media/acquire"),
  same("GET /api/media/status"),
  better("POST /api/media/play_sound", "An unknown sound is refused with the names that there are."),
  notHere("POST /api/media/stop_sound", "Built-in sounds last at most five seconds."),
  notHere("POST /api/media/clear_incoming_audio", "There is no WebRTC; /ws/audio has a message that ends playback."),
  same("POST /api/media/wobbling/enable"),
  same("POST /api/media/wobbling/disable"),
  better("POST /api/media/tracking/enable", "Says that there is no picture to find a face in."),
  same("POST /api/media/tracking/disable"),
  same("GET /api/media/tracking/face"),
  notHere("POST /api/media/sounds/upload", UPLOADS),
  same("GET /api/media/sounds"),
  notHere("DELETE /api/media/sounds/{filename}", UPLOADS),
  same("GET /api/motors/status"),
  same("POST /api/motors/set_mode/{mode}"),
  same("GET /api/move/running"),
  better("POST /api/move/goto", "Replaces a running move without a jump, and says when a target is clipped."),
  same("POST /api/move/play/wake_up"),
  same("POST /api/move/play/goto_sleep"),
  better(
    "GET /api/move/recorded-move-datasets/list/{dataset_name}",
    "From the hub, a folder below `moves` in the data folder or an installed package; `built-in` has five moves.",
  ),
  better(
    "POST /api/move/play/recorded-move-dataset/{dataset_name}/{move_name}",
    "Begins where the robot is, without a jump; an unknown move is 404. A sound beside the move is not played.",
  ),
  better("POST /api/move/stop", "A move that does not run is 404, not 500."),
  same("WS /api/move/ws/updates"),
  better("POST /api/move/set_target", "Refused with the reason while a move runs, instead of ignored with status 200."),
  same("WS /api/move/ws/set_target"),
  notHere("WS /api/move/ws/raw/write", "Bytes that any page could send to the servos could break the robot."),
  same("GET /api/state/present_head_pose"),
  same("GET /api/state/present_body_yaw"),
  better(
    "GET /api/state/present_antenna_joint_positions",
    "Right, then left, as everywhere; its text says left first.",
  ),
  same("GET /api/state/doa"),
  same("GET /api/state/imu"),
  better("GET /api/state/full", "The with_target fields are answered; there they are dropped."),
  better("WS /api/state/ws/full", "The with_target fields are answered; there they are dropped."),
  notHere("GET /api/telemetry", "Nothing is sent to anybody."),
  notHere("PUT /api/telemetry", "Nothing is sent to anybody."),
  notHere("GET /update/install-source", UPDATES),
  notHere("GET /update/available", UPDATES),
  notHere("POST /update/start", UPDATES),
  notHere("GET /update/validate-ref", UPDATES),
  notHere("POST /update/start-from-ref", UPDATES),
  notHere("GET /update/info", UPDATES),
  notHere("WS /update/ws/logs", UPDATES),
  better("GET /api/volume/current", "Also without a sound card, where it is 500 there."),
  better("POST /api/volume/set", "Plays no sound by itself; a restart keeps the volume."),
  same("POST /api/volume/test-sound"),
  better("GET /api/volume/microphone/current", "Also without a sound card, where it is 500 there."),
  better("POST /api/volume/microphone/set", "In simulation, too; a restart keeps the volume."),
  notHere("GET /wifi/status", SYSTEM),
  notHere("GET /wifi/error", SYSTEM),
  notHere("POST /wifi/reset_error", SYSTEM),
  notHere("POST /wifi/setup_hotspot", SYSTEM),
  notHere("POST /wifi/connect", SYSTEM),
  notHere("POST /wifi/scan_and_list", SYSTEM),
  notHere("POST /wifi/forget", SYSTEM),
  notHere("POST /wifi/forget_all", SYSTEM),
  notHere("GET /wifi/prov_key", SYSTEM),
  notHere("POST /wifi/connect_sealed", SYSTEM),
];

/** Routes of the public daemon that ours has not: each is answered with 501 and what to use instead. */
export function notHereRoutes(): Route[] {
  return COMPATIBILITY_ROUTES.filter(({ method, here }) => here === "not here" && method !== "WS").map(refusal);
}

function refusal({ method, path, note }: CompatibilityRoute): Route {
  return {
    method: method.toLowerCase() as Route["method"],
    path: path.replace(/\{(\w+)\}/g, ":$1"),
    summary: `Not here: ${note}`,
    tag: "interface",
    errors: ["not-here"],
    handle: () => {
      throw new WorkbenchError("not-here", `${method} ${path} is not here. ${note}`);
    },
  };
}
