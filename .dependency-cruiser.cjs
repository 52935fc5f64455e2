// dependency-cruiser's swc parser reads TypeScript without JSX; this switches JSX on for .tsx files.
const swc = require("@swc/core");
const parseFile = swc.parseFileSync;
swc.parseFileSync = (path, options) => parseFile(path, { ...options, tsx: path.endsWith(".tsx") });

/** Import directions between the rooms (docs/architecture.md). Arrows point down only. */
const ROOMS = "^(common|robot|ui|sim|daemon|dashboard|edit|assistant|conformance|fixtures/hub/server)/";
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from },
  to: { path: ROOMS, pathNot: ["^common/", ...allowed] },
});

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    only("common-imports-nothing-of-ours", "^common/", []),
    only("robot-imports-common-only", "^robot/", ["^robot/"]),
    only("sim-imports-robot", "^sim/", ["^sim/", "^robot/", "^ui/"]),
    only("edit-imports-robot", "^edit/", ["^edit/", "^robot/"]),
    only("ui-imports-robot", "^ui/", ["^ui/", "^robot/"]),
    {
      name: "ui-is-for-pages",
      comment:
        "Only the pages of dashboard, report, robot-sim and films use it, and what draws films from its model of the robot.",
      severity: "error",
      from: {
        path: ROOMS,
        pathNot: [
          "^ui/",
          "^dashboard/",
          "^conformance/(report|catalogue)/page/",
          "^sim/page/browser/",
          "^sim/film/(renderer|page)/",
        ],
      },
      to: { path: "^ui/" },
    },
    {
      name: "daemon-imports-no-simulator",
      comment: "The programs plug the simulator in.",
      severity: "error",
      from: { path: "^daemon/", pathNot: ["\\.test\\.ts$", "/testing/"] },
      to: { path: "^(sim|edit|assistant|conformance|fixtures)/" },
    },
    only("dashboard-imports-ui-and-robot", "^dashboard/", ["^dashboard/", "^ui/", "^robot/"]),
    {
      name: "no-imports-of-the-dashboard",
      comment: "It is built alone, and reaches the daemon over HTTP.",
      severity: "error",
      from: { pathNot: "^dashboard/" },
      to: { path: "^dashboard/" },
    },
    {
      ...only("assistant-reaches-the-daemon-over-http", "^assistant/", ["^assistant/", "^edit/", "^robot/"]),
      comment: "The program plugs the certification and the hub for development in.",
      from: { path: "^assistant/", pathNot: ["\\.test\\.ts$", "/testing/"] },
    },
    {
      name: "fixtures-are-data",
      comment: "Only the hub for development is a program.",
      severity: "error",
      from: {},
      to: { path: "^(fixtures|features)/", pathNot: "^fixtures/hub/server/" },
    },
    {
      ...only("hub-for-development-imports-robot", "^fixtures/hub/server/", [
        "^fixtures/hub/server/",
        "^robot/",
        // Types and exit codes of a command.
        "^assistant/terminal\\.ts$",
      ]),
      from: { path: "^fixtures/hub/server/", pathNot: "\\.test\\.ts$" },
    },
    {
      name: "only-programs-and-tests-import-the-hub-for-development",
      severity: "error",
      from: {
        path: ROOMS,
        pathNot: ["^fixtures/hub/server/", "\\.test\\.ts$", "/testing/", "^conformance/steps/"],
      },
      to: { path: "^fixtures/hub/server/" },
    },
    only("report-page-imports-ui-and-robot", "^conformance/report/page/", [
      "^conformance/report/",
      "^ui/",
      "^robot/",
      // What it shows.
      "^conformance/verdict/verdict\\.ts$",
    ]),
    {
      name: "no-imports-of-programs",
      comment: "Programs are entered from bin/ or as processes and threads of their own.",
      severity: "error",
      from: {},
      to: { path: "^programs/" },
    },
    {
      name: "no-imports-of-the-lab",
      severity: "error",
      from: { pathNot: "^lab/" },
      to: { path: "^lab/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^(dist|node_modules)/"] },
    parser: "swc",
    tsPreCompilationDeps: true,
    moduleSystems: ["es6", "cjs"],
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs"] },
  },
};
