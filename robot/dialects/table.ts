/**
 * The names in which a family of robot apps speaks the contract. In TypeScript this table is the only place that knows them:
 * everything else takes the row of the app at hand. In Python the adapter to the public SDK, `robot_sdk/public`, has its own.
 */
export interface Dialect {
  /** Name on the command line and in the interface. */
  readonly id: string;
  /** Name for people. */
  readonly title: string;
  /** Entry-point group of the apps. */
  readonly group: string;
  /** Tag in the YAML head of a space's README that marks it as an app. */
  readonly tag: string;
  readonly sdk: {
    /** Distribution on the Python index. */
    readonly distribution: string;
    /** What an app with a settings page depends on. */
    readonly pageRequirement: string;
    /** Module that apps import. */
    readonly module: string;
    /** Base class of apps. */
    readonly appClass: string;
    /** Module that defines the base class. */
    readonly appModule: string;
    /** Class of the robot. */
    readonly robotClass: string;
    /** Modules of other packages that come with it, and those that its extra for pages adds. */
    readonly brings: readonly string[];
    readonly webBrings: readonly string[];
  };
  /** What `run` calls its parameter for the robot. */
  readonly robotParameter: string;
  /** The port at which the SDK looks for the daemon, whatever the environment says; null when the port is configurable. */
  readonly fixedPort: number | null;
  /**
   * Whether apps have the form that the contract prescribes: the app's name for package, entry point and module, a literal
   * settings address, one form of the main block. Apps of other dialects are judged by what happens when they run.
   */
  readonly prescribesForm: boolean;
  /** Attribute of the app's class that, when true, tells the SDK not to serve the settings page; null without one. */
  readonly ownServerAttribute: string | null;
  /** Whether the SDK ends an app whose settings page finds its port taken; otherwise the app goes on without its page. */
  readonly endsWithoutPage: boolean;
  /** Whether the SDK connects again after a short outage of the daemon; otherwise its calls raise ConnectionError. */
  readonly reconnects: boolean;
  /** Whether the SDK turns SIGINT into its stop event; otherwise `run` gets a KeyboardInterrupt. */
  readonly setsStopEvent: boolean;
  /**
   * Header by which its clients of the SDK socket are known. Its value is the client's process id in our own dialect, and the
   * version of the SDK in the public one.
   */
  readonly clientHeader: string;
  /** The user agent of its clients that are too old for that header; null when all have it. */
  readonly oldUserAgent: RegExp | null;
  /** Joints that the SDK calls by another name, with ours. */
  readonly jointNames: Readonly<Record<string, string>>;
  /**
   * Whether its clients of the SDK socket speak the public protocol. In it a target without a body yaw keeps the last one, a
   * superseded move counts as finished, a move without torque too, and angles beyond a turn and inexact poses are accepted.
   */
  readonly publicProtocol: boolean;
}

export const ROBOT: Dialect = {
  id: "robot",
  title: "robot apps",
  group: "robot_apps",
  tag: "robot_python_app",
  sdk: {
    distribution: "robot-sdk",
    pageRequirement: "robot-sdk[web]",
    module: "robot_sdk",
    appClass: "RobotApp",
    appModule: "robot_sdk.app",
    robotClass: "Robot",
    brings: ["numpy", "websockets"],
    webBrings: [
      "annotated_types",
      "anyio",
      "fastapi",
      "h11",
      "idna",
      "pydantic",
      "pydantic_core",
      "starlette",
      "typing_extensions",
      "uvicorn",
    ],
  },
  robotParameter: "robot",
  fixedPort: null,
  prescribesForm: true,
  ownServerAttribute: null,
  endsWithoutPage: true,
  reconnects: true,
  setsStopEvent: true,
  clientHeader: "x-robot-client-pid",
  oldUserAgent: null,
  jointNames: {},
  publicProtocol: false,
};

/** Names of the public package `reachy-mini`, read at 1.13.0. */
export const REACHY_MINI: Dialect = {
  id: "reachy_mini",
  title: "Reachy Mini apps",
  group: "reachy_mini_apps",
  tag: "reachy_mini_python_app",
  sdk: {
    distribution: "reachy-mini",
    pageRequirement: "reachy-mini",
    module: "reachy_mini",
    appClass: "ReachyMiniApp",
    appModule: "reachy_mini.apps.app",
    robotClass: "ReachyMini",
    brings:
      "aiohttp annotated_types anyio asgiref attr certifi charset_normalizer click dotenv fastapi filelock fsspec gi h11 httpcore httptools httpx huggingface_hub idna jinja2 libusb_package log_throttling markupsafe multidict multipart numpy packaging platformdirs psutil pulsectl pydantic pydantic_core pygments python_multipart questionary requests rich rustypot serial starlette toml tqdm typing_extensions urllib3 usb uvicorn uvloop watchfiles websockets yaml yarl zeroconf".split(
        " ",
      ),
    webBrings: [],
  },
  robotParameter: "reachy_mini",
  fixedPort: 8000,
  prescribesForm: false,
  ownServerAttribute: "dont_start_webserver",
  endsWithoutPage: false,
  reconnects: false,
  setsStopEvent: false,
  clientHeader: "x-reachy-client",
  oldUserAgent: /^Python\/[\d.]+ websockets\//,
  jointNames: { body_rotation: "body_yaw" },
  publicProtocol: true,
};
