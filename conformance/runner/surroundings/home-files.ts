import { isFolder, listTree, type TreeListing } from "./tree-listing.ts";

/** Folders in which an app has one under its own name. */
const NAMED_PLACES = [".config", ".local/share", ".local/state", ".cache"];
/** What libraries keep: models, and what drivers and fonts are compiled to. */
const LIBRARY_CACHES = [
  ...[
    "huggingface",
    "torch",
    "whisper",
    "clip",
    "kagglehub",
    "modelscope",
    "onnxruntime",
    "tensorflow",
    "vosk",
    "piper",
  ],
  ...["matplotlib", "fontconfig", "mesa_shader_cache", "mesa_shader_cache_db", "numba", "gstreamer-1.0", "librosa"],
].map((name) => `.cache/${name}`);
const LIBRARY_PLACES = new Set([
  ...LIBRARY_CACHES,
  ...[".EasyOCR", ".insightface", ".deepface", ".paddleocr", ".paddlex", ".u2net", ".keras", ".nv", ".triton"],
  // The sound server's library writes it for every program that plays sound.
  ".config/pulse/cookie",
  // The detector YOLO writes its settings at its first import.
  ".config/Ultralytics",
]);
/** Folders of programs that run what is in them, also for an app that has their name. */
const RUN_BY_OTHERS =
  /^\.(config|local\/share|local\/state|cache)\/(autostart|systemd|dbus-1|environment\.d|fish|git|pip|uv)(\/|$)/;

/**
 * The files of a home that another program could read at its start: those in hidden folders and with hidden names, and
 * commands in `bin`. Where an app may write is left out: folders under its own name, and known caches of libraries.
 * @param names of the app: what its folders are called
 */
export function filesForOthersIn(home: string, names: readonly string[]): TreeListing {
  const own = new Set(names.map(plain));
  const isOwn = (path: string): boolean => {
    if (RUN_BY_OTHERS.test(path)) return false;
    const place = NAMED_PLACES.find((each) => path.startsWith(`${each}/`));
    return place !== undefined && own.has(plain(path.slice(place.length + 1).split("/")[0] ?? ""));
  };
  const isShown = (path: string): boolean => !path.startsWith(".") && !/^bin(\/|$)/.test(path);
  const found = listTree(home, (path) => isShown(path) || LIBRARY_PLACES.has(path) || isOwn(path));
  return new Map([...found].filter(([, status]) => !isFolder(status)));
}

/** A name as apps spell it: `My App`, `my-app` and `my_app` are one. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
