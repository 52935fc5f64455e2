// Every outgoing stream is bounded: state, scene, sound, events and logs.
import type { Attack } from "../../attack.ts";
import { measureDaemon, openConnection, openSocket } from "../../attack-tools.ts";

const SOCKETS = ["/ws/sdk", "/ws/state", "/ws/scene", "/ws/audio"];
const STREAMS = ["/api/events", "/api/apps/logs/output_flood?follow=true"];
const CLIENTS = 10;

const attack: Attack = {
  title: "60 clients open streams and never read, while an app prints without end",
  async run({ daemon, seconds, row }) {
    const sockets = [];
    for (const path of SOCKETS)
      for (let i = 0; i < CLIENTS; i += 1) {
        const socket = await openSocket(daemon.url, path);
        if (path === "/ws/audio") socket.send('{"type":"listen","track":"microphone","on":true}');
        socket.pause();
        sockets.push(socket);
      }
    const streams = STREAMS.flatMap((path) =>
      Array.from({ length: CLIENTS }, () =>
        openConnection(daemon.url, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`).pause(),
      ),
    );
    await daemon.post("/api/apps/start-app/output_flood");
    const { main, slowest } = await measureDaemon(daemon, seconds);
    row("memory of the main process", `+${main.growth.toFixed(0)} MB`, "at most +120 MB", main.growth <= 120);
    row("slowest health check", `${slowest.toFixed(0)} ms`, "at most 1000 ms", slowest <= 1000);
    for (const socket of sockets) socket.terminate();
    for (const stream of streams) stream.destroy();
  },
};
export default attack;
