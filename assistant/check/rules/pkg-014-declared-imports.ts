import { normalizeName, parseRequirement } from "../../../common/python/project/requirement.ts";
import { isTable, textsOf, valueAt } from "../../../common/python/project/shape.ts";
import { DIALECTS } from "../../../robot/dialects/dialects.ts";
import type { App } from "../app/app.ts";
import { STANDARD_MODULES } from "../python/standard-modules.ts";
import { thirdPartyImports } from "../python/third-party-imports.ts";
import { type Finding, quote, type Rule } from "../requirement.ts";

/**
 * Modules whose distribution has another name, with all that bring them, as the documentation of each distribution imports
 * it. The first is advised.
 */
const DISTRIBUTIONS: Readonly<Record<string, readonly string[]>> = {
  attr: ["attrs"],
  botocore: ["botocore", "boto3"],
  bs4: ["beautifulsoup4"],
  Crypto: ["pycryptodome"],
  cv2: ["opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless", "opencv"],
  dateutil: ["python-dateutil"],
  docx: ["python-docx"],
  dotenv: ["python-dotenv"],
  fitz: ["pymupdf"],
  gi: ["pygobject"],
  git: ["gitpython"],
  jwt: ["pyjwt"],
  magic: ["python-magic"],
  multipart: ["python-multipart"],
  OpenSSL: ["pyopenssl"],
  PIL: ["pillow"],
  pkg_resources: ["setuptools"],
  RPi: ["rpi-gpio"],
  serial: ["pyserial"],
  skimage: ["scikit-image"],
  sklearn: ["scikit-learn"],
  socketio: ["python-socketio"],
  speech_recognition: ["speechrecognition"],
  usb: ["pyusb"],
  websocket: ["websocket-client"],
  whisper: ["openai-whisper"],
  yaml: ["pyyaml"],
  zmq: ["pyzmq"],
};

/** Modules whose distribution has their own name, as its documentation imports it. Of any other name nothing is known. */
const SAME_NAME = new Set(
  (
    "aiohttp anthropic boto3 click fastapi flask gradio httpx huggingface_hub jinja2 librosa matplotlib mediapipe networkx " +
    "numpy openai pandas psutil pydantic pygame pynput requests rich scipy sounddevice soundfile sympy torch torchaudio " +
    "torchvision tqdm transformers ultralytics uvicorn websockets"
  ).split(" "),
);

/** The distributions that are known to give a module; none for a name of which nothing is known. */
function distributionsOf(top: string): readonly string[] {
  if (SAME_NAME.has(top)) return [normalizeName(top)];
  return Object.hasOwn(DISTRIBUTIONS, top) ? (DISTRIBUTIONS[top] ?? []) : [];
}

/** Packages whose parts come from many distributions, with names that do not tell. */
const SHARED_PACKAGES = ["google", "azure", "mpl_toolkits"];

/** An app that imports what nothing brings runs on its author's machine alone. */
export const declaredImports: Rule = {
  id: "PKG-014",
  level: "SHOULD",
  section: "2.1",
  title: "Every package that the app imports is among its dependencies, or comes with the SDK",
  mutants: ["PKG-014-scipy", "PKG-014-in-a-module-of-the-app"],
  explanation:
    "The daemon installs what pyproject.toml lists under dependencies, and the SDK. A package that the app imports and " +
    "does not list is there on the author's machine only, or as long as another package brings it. Imports in a " +
    "try, an if or a function may be optional, and do not count.",
  example: {
    file: "my_app/main.py",
    wrong: "import time\n\nimport scipy",
    right: "import time",
  },
  check: (app) => {
    const { pyproject, main, name, modules } = app;
    if (pyproject.status !== "parsed") return { skip: "there is no pyproject.toml that parses (PKG-002)" };
    if (main.status !== "parsed") return { skip: `there is no ${main.path} that parses (PKG-005, PKG-006)` };
    const declared = declaredIn(app);
    if (declared === null) return { skip: "pyproject.toml does not list the dependencies" };
    const isOwn = (top: string) => top === name || modules.fileOf(top) !== undefined || isFolder(top, app);
    const missing = new Map<string, Finding>();
    for (const { name: imported, file, line } of thirdPartyImports(app)) {
      const [top = imported] = imported.split(".");
      if (
        missing.has(top) ||
        SHARED_PACKAGES.includes(top) ||
        STANDARD_MODULES.has(top) ||
        isOwn(top) ||
        isBrought(top, declared, app)
      )
        continue;
      const [distribution] = distributionsOf(top);
      const advice =
        distribution === undefined
          ? "no package is known to give this name. Add the one that your environment has it from (pip show --files) to dependencies in pyproject.toml."
          : `add ${quote(distribution)} to dependencies in pyproject.toml.`;
      const message = `${top} is imported, and nothing that the app depends on names it: ${advice}`;
      missing.set(top, { message, file, line });
    }
    return [...missing.values()];
  },
};

const isFolder = (top: string, { files }: App): boolean =>
  [...files.keys()].some((path) => path.startsWith(`${top}/`) || path.startsWith(`src/${top}/`));

function isBrought(top: string, declared: readonly string[], { dialect }: App): boolean {
  const { sdk } = dialect;
  if (DIALECTS.some((each) => each.sdk.module === top)) return true;
  if (sdk.brings.includes(top) || (declared.includes("web-extra") && sdk.webBrings.includes(top))) return true;
  const wanted = distributionsOf(top);
  const name = normalizeName(top);
  return declared.some((each) => wanted.includes(each) || each === name || each.split("-").includes(name));
}

/** The names of all distributions that pyproject.toml declares, extras included; null when it leaves them to the build. */
function declaredIn({ pyproject, dialect, files }: App): string[] | null {
  if (pyproject.status !== "parsed") return null;
  const { document, dependencies } = pyproject.value;
  if (dependencies === null) return null;
  if (valueAt(document, "project", "dependencies") === undefined && (files.has("setup.py") || files.has("setup.cfg")))
    return null;
  const valuesOf = (value: unknown) => (isTable(value) ? Object.values(value) : []);
  const optional = valuesOf(valueAt(document, "project", "optional-dependencies")).flatMap(textsOf);
  const required = [...dependencies, ...optional].flatMap((text) => parseRequirement(text) ?? []);
  const poetry = valueAt(document, "tool", "poetry", "dependencies");
  const names = [...required.map(({ name }) => name), ...(isTable(poetry) ? Object.keys(poetry) : [])];
  const onSdk = required.filter(({ name }) => normalizeName(name) === dialect.sdk.distribution);
  const extras = onSdk.flatMap((each) => each.extras);
  // An extra of the SDK may bring what its name says.
  return [...names, ...extras, ...(extras.includes("web") ? ["web-extra"] : [])].map(normalizeName);
}
