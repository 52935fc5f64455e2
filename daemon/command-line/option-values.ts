import { InvalidArgumentError } from "commander";
import { nonEmptyText, textMatching } from "../../robot/command-line/values.ts";
import { PUBLIC_HUB } from "../../robot/wire/apps/app-package.ts";
import { APP_NAME } from "../apps/catalogue/names.ts";

export const serialPort = textMatching(
  /^((?!\w+:\/\/)\S.*|tcp:\/\/[^/\s]+:\d+\/?)$/,
  "the path of a serial port or tcp://HOST:PORT",
  "--serialport /dev/ttyACM0 or --serialport tcp://127.0.0.1:5555",
);
export const appName = textMatching(
  APP_NAME,
  "the name of an app: letters, digits, dots and hyphens",
  "--startup-app hello_robot",
);
export const listenAddress = textMatching(
  /^[\w.:%-]+$/,
  "an address or a name of this machine, without a port",
  "--host 127.0.0.1",
);
export const robotName = textMatching(
  /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,62}$/u,
  "a name of at most 63 letters, digits, spaces, dots and hyphens",
  "--robot-name kitchen",
);
export const allowedHost = textMatching(
  /^[A-Za-z0-9][\w.-]*$/,
  "a name alone, without http:// and port",
  "--allow-host robot.lan",
);
export const venvFolder = nonEmptyText("the folder of a Python environment", "--venv ~/robot/apps_venv");
export const audioDevice = nonEmptyText("the name of an ALSA device", "--audio-device plughw:1,0");
export const cameraSource = nonEmptyText("sim, none, a picture or a folder of pictures", "--camera face.jpg");
export const wavFile = nonEmptyText("a WAV file", "--microphone speech.wav");

/** The address of a hub, without slashes at its end. */
export function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "") {
    return text.replace(/\/+$/, "");
  }
  throw new InvalidArgumentError(
    `Use an address that begins with https://, for example --hub-url ${PUBLIC_HUB}; a token goes into HF_TOKEN.`,
  );
}
