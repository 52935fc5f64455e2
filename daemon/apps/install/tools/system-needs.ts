const FOR_GOBJECT =
  "build-essential pkg-config python3-dev libcairo2-dev libgirepository1.0-dev gir1.2-gst-plugins-base-1.0";

/** Packages of Debian, Ubuntu and Raspberry Pi OS that have what a build or a program misses. The first match wins. */
const NEEDS: readonly { pattern: RegExp; what: string; packages: string }[] = [
  {
    pattern: /\b(girepository|gobject-introspection|cairo)\b.*not found/i,
    what: "PyGObject, which the app's SDK needs, is built with files of the system",
    packages: FOR_GOBJECT,
  },
  {
    pattern: /No module named 'gi'/,
    what: "PyGObject, which the app's SDK needs, is not installed",
    packages: `${FOR_GOBJECT}, then pip install 'PyGObject<=3.46.0'`,
  },
  {
    pattern: /Namespace Gst\w* not available|Typelib file for namespace '?Gst/,
    what: "GStreamer, which the app's SDK loads, is not installed",
    packages: "gir1.2-gstreamer-1.0 gir1.2-gst-plugins-base-1.0 gir1.2-gst-plugins-bad-1.0 gstreamer1.0-plugins-good",
  },
  { pattern: /PortAudio library not found/, what: "PortAudio is not installed", packages: "libportaudio2" },
  {
    pattern: /\bPython\.h: No such file/,
    what: "A package is built with the headers of Python",
    packages: "python3-dev build-essential",
  },
  {
    pattern: /command '\S*(gcc|cc|g\+\+|clang)' failed: No such file|Unknown compiler\(s\)/,
    what: "A package is built with a C compiler",
    packages: "build-essential python3-dev",
  },
  {
    pattern: /pkg-config.*not found|Did not find pkg-config/i,
    what: "A package is built with pkg-config",
    packages: "pkg-config",
  },
  {
    pattern: /No such file or directory: '(ffmpeg|espeak|espeak-ng|sox|aplay)'/,
    what: "A program is not installed",
    packages: "$1",
  },
];

/** Shared libraries that packages of Python load, and headers that they are built with, by the package that has them. */
const FILES: Readonly<Record<string, string>> = {
  "libGL.so.1": "libgl1",
  "libEGL.so.1": "libegl1",
  "libGLESv2.so.2": "libgles2",
  "libgthread-2.0.so.0": "libglib2.0-0",
  "libglib-2.0.so.0": "libglib2.0-0",
  "libgirepository-1.0.so.1": "libgirepository-1.0-1",
  "libgstreamer-1.0.so.0": "libgstreamer1.0-0",
  "libSM.so.6": "libsm6",
  "libXext.so.6": "libxext6",
  "libXrender.so.1": "libxrender1",
  "libX11.so.6": "libx11-6",
  "libxcb.so.1": "libxcb1",
  "libgomp.so.1": "libgomp1",
  "libportaudio.so.2": "libportaudio2",
  "libasound.so.2": "libasound2",
  "libpulse.so.0": "libpulse0",
  "libsndfile.so.1": "libsndfile1",
  "libusb-1.0.so.0": "libusb-1.0-0",
  "libopenblas.so.0": "libopenblas0",
  "portaudio.h": "portaudio19-dev",
  "alsa/asoundlib.h": "libasound2-dev",
  "sndfile.h": "libsndfile1-dev",
  "libusb.h": "libusb-1.0-0-dev",
};

const MISSING_FILE =
  /\b(lib[\w.+-]+\.so[\w.]*): cannot open shared object file|fatal error: ([\w./+-]+\.h): No such file/;

/** Is in every line that names something missing; most lines of a long output have nothing of it. */
const MISSING =
  /No module named 'gi'|not found|not available|No such file|cannot open|Typelib file|Unknown compiler|Did not find/;

/** Where another package has to be found. */
const SEARCH = "apt install apt-file && apt-file update && apt-file search";

/**
 * What a line of a build's or a program's output says that this machine lacks, and the command that installs it: a sentence
 * without the full stop at its end. Null for a line that names nothing of the kind.
 */
export function systemNeed(line: string): string | null {
  if (!MISSING.test(line)) return null;
  const need = NEEDS.find(({ pattern }) => pattern.test(line));
  if (need !== undefined) {
    const match = need.pattern.exec(line) ?? [];
    return `${need.what}: apt install ${need.packages.replace("$1", match[1] ?? "")}`;
  }
  const [, library, header] = MISSING_FILE.exec(line) ?? [];
  const file = library ?? header;
  if (file === undefined) return null;
  const known = FILES[file];
  return `This machine lacks ${file}: ${known === undefined ? `${SEARCH} ${file}` : `apt install ${known}`}`;
}
