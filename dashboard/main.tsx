import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { encodeAudio } from "../robot/wire/audio/audio-frames.ts";
import "../ui/theme/index.css";
import { applyTheme } from "../ui/theme/theme-model.ts";
import { AudioModel } from "./audio/audio-model.ts";
import { openMicrophone } from "./audio/microphone-input.ts";
import { SpeakerOutput } from "./audio/speaker-output.ts";
import { createClient } from "./connection/client.ts";
import { LiveConnection } from "./connection/live-connection.ts";
import { SwitchedSocket } from "./connection/switched-socket.ts";
import { Dashboard } from "./dashboard.ts";
import { App } from "./shell/app.tsx";
import { PageContext } from "./shell/context.ts";
import { streamLines } from "./workshop/stream-lines.ts";
import { WorkshopModel } from "./workshop/workshop-model.ts";
import "./shell/layout.css";
import "./shell/notices.css";

/** Milliseconds in which lines of the log are collected before they are shown. */
const LOG_INTERVAL = 100;

const at = (path: string) => new URL(path, location.href);
const openSocket = (path: string) => {
  const address = at(path);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(address);
};

const workshop = new WorkshopModel({
  fragment: () => location.hash,
  setFragment: (fragment, how) => {
    const address = at("./");
    address.hash = fragment;
    if (how === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  },
  storage: sessionStorage,
});
addEventListener("popstate", () => workshop.followAddress());
const request: typeof fetch = async (path, init) => {
  const answer = await fetch(at(`.${path}`), init);
  dashboard.clock.synchronise(answer.headers.get("date"));
  return answer;
};
const client = createClient(request);
const workshopClient = createClient(workshop.withSecret(request));
const workshopStream = streamLines(workshop.withSecret(request));
const dashboard: Dashboard = new Dashboard({
  client,
  now: Date.now,
  elapsed: () => performance.now(),
  scheduleFlush: (flush) => setTimeout(flush, LOG_INTERVAL),
});
const connection = new LiveConnection(
  {
    openSocket: () => openSocket("./ws/state"),
    openEvents: () => new EventSource(at("./api/events")),
  },
  {
    status: (status) => {
      dashboard.connection.value = status;
    },
    opened: () => {
      void dashboard.refresh();
      workshop.refresh(client).catch(dashboard.toasts.report);
    },
    state: (text) => dashboard.receiveState(text),
    event: (name, text) => dashboard.receiveEvent(name, text),
  },
);
const visible = signal(!document.hidden);
const scene = new SwitchedSocket(() => openSocket("./ws/scene"), {
  message: (frame) => dashboard.objects.receive(JSON.parse(String(frame))),
});
effect(() => scene.setOpen(visible.value && dashboard.connected.value && dashboard.robot.simulated.value === true));
const audio = new AudioModel({
  client,
  toasts: dashboard.toasts,
  send: (message) => audioSocket.send(JSON.stringify(message)),
  sendMicrophone: (samples) => audioSocket.send(encodeAudio("microphone", samples)),
  openSpeaker: () => new SpeakerOutput(),
  openMicrophone: (onSamples) => openMicrophone(at("./microphone-worklet.js"), onSamples),
});
const audioSocket = new SwitchedSocket(() => openSocket("./ws/audio"), {
  opened: () => audio.opened(),
  message: (data) => audio.receive(data),
});
effect(() => audioSocket.setOpen(dashboard.connected.value));
addEventListener("online", () => connection.open());
document.addEventListener("visibilitychange", () => {
  visible.value = !document.hidden;
  if (visible.value) connection.open();
});

const theme = applyTheme();
const root = document.getElementById("dashboard");
if (root)
  render(
    <PageContext.Provider
      value={{ dashboard, audio, theme, workshop, workshopClient, workshopStream, reconnect: () => connection.open() }}
    >
      <App />
    </PageContext.Provider>,
    root,
  );
connection.open();
