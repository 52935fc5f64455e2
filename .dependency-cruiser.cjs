/** Import directions between the rooms (docs/architecture.md). Arrows point down only. */
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: from },
  to: { path: "^(robot|sim|daemon|assistant|conformance)/", pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    only("robot-is-the-ground-floor", "^robot/", ["^robot/"]),
    only("sim-stands-on-robot", "^sim/", ["^sim/", "^robot/"]),
    {
      name: "daemon-knows-no-simulator",
      comment: "Only composition roots plug the simulator in; the dashboard borrows its viewer.",
      severity: "error",
      from: { path: "^daemon/", pathNot: ["main\\.ts$", "^daemon/dashboard/", "\\.test\\.ts$", "/testing/"] },
      to: { path: "^(sim|assistant|conformance)/" },
    },
    only("dashboard-draws-with-the-viewer", "^daemon/dashboard/", [
      "^daemon/dashboard/",
      "^sim/viewer/",
      "^robot/",
      // Types only: what the daemon sends it.
      "^daemon/control/robot\\.ts$",
      "^daemon/apps/app-events\\.ts$",
    ]),
    {
      ...only("assistant-reaches-the-daemon-over-http", "^assistant/", ["^assistant/", "^robot/"]),
      comment: "Only its composition root plugs the certification in.",
      from: { path: "^assistant/", pathNot: "main\\.ts$" },
    },
    { name: "nobody-imports-fixtures", severity: "error", from: {}, to: { path: "^(fixtures|features)/" } },
    only("report-page-draws-with-the-viewer", "^conformance/report/page/", [
      "^conformance/report/",
      "^sim/viewer/",
      "^robot/",
      // The look of the two pages is one.
      "^daemon/dashboard/",
      // Types only: what it shows.
      "^conformance/verdict/verdict\\.ts$",
    ]),
    {
      name: "nobody-imports-a-program",
      comment: "main.ts files are programs, entered from bin/ or as processes of their own.",
      severity: "error",
      from: { path: "^(robot|sim|daemon|assistant|conformance)/" },
      to: { path: "main\\.ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Its swc parser takes no JSX; Biome restricts what the views may import (biome.json).
    exclude: { path: ["^(dist|node_modules)/", "\\.tsx$"] },
    parser: "swc",
    tsPreCompilationDeps: true,
    moduleSystems: ["es6", "cjs"],
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs"] },
  },
};
