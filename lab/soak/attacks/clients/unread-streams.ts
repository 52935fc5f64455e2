// Every outgoing stream is bounded: state, scene, sound, events and logs.
import type { Attack } from "../../attack.ts";
import { getRequest, measureDaemon, openUnread, reportWatch } from "../../attack-tools.ts";

const SOCKETS = ["/ws/sdk", "/ws/state", "/ws/scene", "/ws/audio"];
const STREAMS = ["/api/events", "/api/apps/logs/output_flood?follow=true"];
const CLIENTS = 10;

export default {
  title: "60 clients open streams and never read, while an app prints without end",
  async run({ daemon, seconds, row }) {
    const sockets = [];
    for (const path of SOCKETS)
      for (let i = 0; i < CLIENTS; i += 1) {
        const socket = await daemon.socket(path);
        if (path === "/ws/audio") socket.send('{"type":"listen","track":"microphone","on":true}');
        socket.pause();
        sockets.push(socket);
      }
    const streams = STREAMS.flatMap((path) => openUnread(daemon.url, CLIENTS, getRequest(path)));
    await daemon.post("/api/apps/start-app/output_flood");
    reportWatch(row, await measureDaemon(daemon, seconds), 120);
    for (const socket of sockets) socket.terminate();
    for (const stream of streams) stream.destroy();
  },
} satisfies Attack;
