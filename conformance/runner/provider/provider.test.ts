import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { HEARD, REPLY } from "./answers.ts";
import { openScriptedProvider } from "./provider.ts";

async function open() {
  const provider = await openScriptedProvider();
  onTestFinished(() => provider.close());
  const { OPENAI_BASE_URL: url = "" } = provider.variables;
  const post = (path: string, body: unknown) =>
    fetch(`${url}/${path}`, { method: "POST", body: body instanceof FormData ? body : JSON.stringify(body) });
  return { url, post };
}

test("chat and responses are answered, whole and as events", async () => {
  const { post } = await open();
  const chat = { model: "any", messages: [{ role: "user", content: "Hi" }] };
  expect(await (await post("chat/completions", chat)).json()).toMatchObject({
    choices: [{ message: { content: REPLY } }],
  });
  const events = (await (await post("chat/completions", { ...chat, stream: true })).text()).match(/(?<=^data: ).*/gm);
  const pieces = events?.slice(0, -1).map((each) => JSON.parse(each).choices[0].delta.content ?? "");
  expect([events?.at(-1), pieces?.join("")]).toEqual(["[DONE]", REPLY]);
  expect(await (await post("responses", { input: "Hi" })).json()).toMatchObject({ status: "completed" });
  expect(await (await post("responses", { input: "Hi", stream: true })).text()).toContain('"response.completed"');
});

test("speech is a sound, and any recording a sentence", async () => {
  const { post } = await open();
  const wav = new Uint8Array(await (await post("audio/speech", { input: REPLY })).arrayBuffer());
  expect([Buffer.from(wav.slice(0, 4)).toString(), wav.length]).toEqual(["RIFF", 44 + 28_800]);
  const form = new FormData();
  form.set("file", new Blob([wav]), "a.wav");
  expect(await (await post("audio/transcriptions", form)).json()).toMatchObject({ text: HEARD });
  form.set("response_format", "text");
  expect(await (await post("audio/transcriptions", form)).text()).toBe(`${HEARD}\n`);
});

test("models and embeddings are there; another path is named", async () => {
  const { url, post } = await open();
  expect(await (await fetch(`${url}/models`)).json()).toMatchObject({ data: [{ object: "model" }] });
  const vectors = await post("embeddings", { input: ["a", "b"] });
  expect(await vectors.json()).toMatchObject({ data: [{ index: 0 }, { index: 1 }] });
  const unknown = await post("fine_tuning/jobs", {});
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("/v1/fine_tuning/jobs")]);
});

test("a realtime session hears speech in the sound, and answers with a sound", async () => {
  const { url } = await open();
  const socket = new WebSocket(`${url.replace("http", "ws")}/realtime?model=any`);
  onTestFinished(() => socket.terminate());
  const seen: { type: string; delta?: string; transcript?: string }[] = [];
  socket.on("message", (data) => void seen.push(JSON.parse(String(data))));
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "session.update", session: { voice: "any" } }));
  socket.send(JSON.stringify({ type: "input_audio_buffer.append", audio: "A".repeat(200_000) }));
  await expect.poll(() => seen.at(-1)?.type).toBe("response.done");
  expect(seen.slice(0, 2).map(({ type }) => type)).toEqual(["session.created", "session.updated"]);
  expect(seen.find(({ transcript }) => transcript !== undefined)?.transcript).toBe(HEARD);
  const sound = seen.find(({ type }) => type === "response.audio.delta")?.delta ?? "";
  expect(Buffer.from(sound, "base64").length).toBe(28_800);
});
