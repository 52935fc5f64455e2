import { expect, test } from "vitest";
import { systemNeed } from "./system-needs.ts";

test.each([
  ["../meson.build:31:9: ERROR: Dependency 'girepository-2.0' is required but not found.", "libgirepository1.0-dev"],
  ["ValueError: Namespace Gst not available", "gir1.2-gstreamer-1.0"],
  ["ImportError: libGL.so.1: cannot open shared object file: No such file or directory", "apt install libgl1"],
  ["ImportError: libfoo.so.3: cannot open shared object file: No such file or directory", "search libfoo.so.3"],
  ["src/device.c:9:10: fatal error: portaudio.h: No such file or directory", "apt install portaudio19-dev"],
  ["error: command 'x86_64-linux-gnu-gcc' failed: No such file or directory", "build-essential"],
  ["OSError: PortAudio library not found", "libportaudio2"],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'", "apt install ffmpeg"],
])("%s: what to install is named", (line, expected) => {
  expect(systemNeed(line)).toContain(expected);
});

test.each([
  "ModuleNotFoundError: No module named 'scipy'",
  "FileNotFoundError: [Errno 2] No such file or directory: 'model.onnx'",
  "fatal error: the robot is upside down",
])("%s: nothing of the system is missing", (line) => {
  expect(systemNeed(line)).toBeNull();
});
