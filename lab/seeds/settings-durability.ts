import { sendRequest } from "./send-request.ts";
import type { System } from "./system.ts";

type Name = "startup app" | "restart after crash" | "speed";

/** For each setting its request, and where an answer has its value. */
const SETTINGS: Record<Name, { path: (app: string) => string; read: string; body: (value: unknown) => object }> = {
  "startup app": {
    path: () => "/api/apps/startup-app",
    read: "/api/apps/startup-app",
    body: (value) => ({ startup_app: value }),
  },
  "restart after crash": {
    path: (app) => `/api/apps/restart-after-crash/${app}`,
    read: "/api/apps/details/",
    body: (value) => ({ restart_after_crash: value }),
  },
  speed: {
    path: (app) => `/api/apps/settings/${app}`,
    read: "/api/apps/details/",
    body: (value) => ({ settings: { speed: value } }),
  },
};

const valueIn = (name: Name, answer: unknown): unknown => {
  const { startup_app, restart_after_crash, settings } = answer as Record<string, unknown>;
  if (name === "startup app") return startup_app;
  if (name === "restart after crash") return restart_after_crash;
  return (settings as { name: string; value: unknown }[]).find((setting) => setting.name === "speed")?.value;
};

/** A step that changes a setting, and remembers what the daemon answered. */
export const changeSetting = (name: Name, value: unknown, app = "") => ({
  what: `set ${name} ${app} to ${JSON.stringify(value)}`,
  run: async (system: System) => {
    const { path, body } = SETTINGS[name];
    const key = `${name} ${app}`;
    const kept = system.settings.get(key) ?? { value: undefined, changing: 0, overlap: false, isCertain: false };
    system.settings.set(key, kept);
    if (name === "restart after crash") system.observer.mayStart.add(app);
    if (name === "startup app" && value !== null) system.observer.mayStart.add(String(value));
    // Of two changes at the same time, either may be the last one.
    kept.overlap ||= kept.changing > 0;
    kept.changing += 1;
    const { daemon } = system;
    const answer = await sendRequest(system, { method: "put", path: path(app), body: body(value) });
    kept.changing -= 1;
    const isAlone = !kept.overlap && !daemon.clock.isDead;
    if (kept.changing === 0) kept.overlap = false;
    if (answer === null) kept.isCertain &&= isAlone;
    else Object.assign(kept, { value: valueIn(name, answer), isCertain: isAlone });
    if (answer !== null && isAlone) system.observer.invariants.kept(key, value, kept.value);
  },
});

/** Reads all settings whose value is certain, and compares them. */
export async function checkSettings(system: System): Promise<void> {
  for (const [key, { value, isCertain, changing }] of system.settings) {
    if (!isCertain || changing > 0) continue;
    const name = (Object.keys(SETTINGS) as Name[]).find((each) => key.startsWith(each)) as Name;
    const app = key.slice(name.length + 1);
    const answer = await sendRequest(system, { method: "get", path: SETTINGS[name].read + app });
    if (answer !== null) system.observer.invariants.kept(key, value, valueIn(name, answer));
  }
}
