// npm run lab -- seeds [--count 100] [--from 1] [--jobs N] [--physics] [--fail-fast] | --seed N [--keep STEP,STEP...]: runs the whole system on
// one virtual clock, decided by a seed, and checks what must hold. Every tenth seed has the physics engine, with --physics all.
// Prints runs, violations, simulated hours per second, and for a violation the shortest script; with --seed the log of one run.
// --fail-fast ends with the first violation.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const BUNDLE = "artifacts/seeds.mjs";

/** Modules read files beside them. */
const keepUrls = {
  name: "keep-urls",
  setup: ({ onLoad }: Parameters<NonNullable<Parameters<typeof build>[0]["plugins"]>[number]["setup"]>[0]) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      );
      return { loader: "ts", contents };
    }),
};

// One file without names for functions, which tsx keeps: the code runs at its own speed.
await build({
  entryPoints: ["lab/seeds/main.ts"],
  outfile: BUNDLE,
  ...{ bundle: true, platform: "node", format: "esm", packages: "external", sourcemap: true, logLevel: "warning" },
  plugins: [keepUrls],
});
const args = ["--enable-source-maps", BUNDLE, ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
