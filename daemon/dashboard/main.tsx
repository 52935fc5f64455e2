import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { AudioLink } from "./link/audio-link.ts";
import { createClient } from "./link/client.ts";
import { LiveLink } from "./link/live-link.ts";
import { openMicrophone } from "./link/microphone-input.ts";
import { SceneLink } from "./link/scene-link.ts";
import { SpeakerOutput } from "./link/speaker-output.ts";
import { Dashboard } from "./model/dashboard.ts";
import { SoundModel } from "./model/sound.ts";
import { ThemeModel } from "./model/theme.ts";
import "./style/base.css";
import "./style/layout.css";
import "./style/stage.css";
import "./style/apps.css";
import "./style/community.css";
import "./style/log.css";
import "./style/motion.css";
import "./style/notices.css";
import "./style/sound.css";
import { App } from "./view/app.tsx";
import { PageContext } from "./view/context.ts";

const at = (path: string) => new URL(path, location.href);
const openSocket = (path: string) => {
  const address = at(path);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(address);
};

const client = createClient(async (path, init) => {
  const answer = await fetch(at(`.${path}`), init);
  dashboard.clock.hear(answer.headers.get("date"));
  return answer;
});
const dashboard: Dashboard = new Dashboard({
  client,
  now: Date.now,
  flushSoon: (flush) => setTimeout(flush, 100),
});
const link = new LiveLink(
  {
    openSocket: () => openSocket("./ws/state"),
    openEvents: () => new EventSource(at("./api/events")),
    now: Date.now,
  },
  {
    status: (status) => {
      dashboard.link.value = status;
    },
    opened: () => void dashboard.refresh(),
    state: (text) => dashboard.receiveState(text),
    event: (name, text) => dashboard.receiveEvent(name, text),
  },
);
const scene = new SceneLink(
  () => openSocket("./ws/scene"),
  (frame) => dashboard.world.receive(frame),
);
const visible = signal(!document.hidden);
effect(() => scene.want(visible.value && dashboard.connected.value && dashboard.robot.simulated.value === true));
const sound = new SoundModel({
  client,
  toasts: dashboard.toasts,
  say: (message) => audio.say(message),
  hear: (samples) => audio.hear(samples),
  openSpeaker: () => new SpeakerOutput(),
  openMicrophone: (hear) => openMicrophone(at("./microphone-worklet.js"), hear),
});
const audio = new AudioLink(() => openSocket("./ws/audio"), sound);
effect(() => audio.want(dashboard.connected.value));
const theme = new ThemeModel(localStorage, matchMedia("(prefers-color-scheme: dark)"));
effect(() => {
  document.documentElement.dataset.theme = theme.theme.value;
});
addEventListener("online", () => link.open());
document.addEventListener("visibilitychange", () => {
  visible.value = !document.hidden;
  if (visible.value) link.open();
});

const root = document.getElementById("dashboard");
if (root)
  render(
    <PageContext.Provider value={{ dashboard, sound, theme, reconnect: () => link.open() }}>
      <App />
    </PageContext.Provider>,
    root,
  );
link.open();
