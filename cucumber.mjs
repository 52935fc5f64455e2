// The features against a daemon in this process; scenarios tagged @spawn start the real programs.
// FEATURES_TARGET=spawn starts them for all, pty and tcp with a robot-sim behind a tty or a TCP port for a robot;
// FEATURES_TARGET=http://host:port judges a daemon that runs already; FEATURES_TARGET=peer the public daemon, which
// `npm run ecosystem -- threads` sets.
import { withUv } from "./scripts/setup/python-env.mjs";

process.env.PATH = withUv(process.env).PATH;

export default {
  import: ["conformance/steps/**/*.ts"],
  format: ["progress-bar", "html:artifacts/features.html"],
  formatOptions: { snippetInterface: "async-await" },
  strict: true,
};
