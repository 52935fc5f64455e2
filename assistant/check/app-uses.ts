import type { AppUse } from "../../robot/wire/apps/app-details.ts";
import { describeInstalledApp } from "./app/installed-app.ts";
import { withoutLongStrings } from "./python/third-party-imports.ts";

/** Methods of the SDKs, and modules that open connections, by what an app uses with them. */
const SIGNS: readonly (readonly [AppUse["what"], RegExp])[] = [
  ["camera", /\.(get_frame|get_jpeg|get_frame_jpeg)\b/],
  ["microphone", /\.(start_recording|get_audio_sample|record_audio)\b/],
  ["speaker", /\.(push_audio_sample|play_sound|start_playing)\b/],
  [
    "network",
    /^\s*(?:import|from)\s+(requests|httpx|aiohttp|urllib|urllib3|http\.client|socket|ssl|ftplib|smtplib|websockets?|socketio|paho|openai|anthropic|google|groq|ollama|mistralai|cohere|replicate|elevenlabs|huggingface_hub|gradio_client|fastrtc|yt_dlp|spotipy)\b/,
  ],
];

/**
 * What the code of an installed app uses, each with the first place. It finds what the app's own modules name; what its
 * dependencies do is not read.
 */
export async function appUses(installed: Parameters<typeof describeInstalledApp>[0]): Promise<AppUse[]> {
  const { files } = await describeInstalledApp(installed, new AbortController().signal);
  const found = new Map<AppUse["what"], AppUse>();
  for (const [file, text] of files) {
    if (!file.endsWith(".py") || text === null) continue;
    for (const [at, line] of withoutLongStrings(text).split("\n").entries())
      for (const [what, sign] of SIGNS)
        if (!found.has(what) && sign.test(line.replace(/#.*/, ""))) found.set(what, { what, file, line: at + 1 });
  }
  return SIGNS.flatMap(([what]) => found.get(what) ?? []);
}
