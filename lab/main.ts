// npm run lab [-- NAME [ARGUMENT...]]: runs a tool of this folder, or lists them. Each says at its top what it takes.

/** For each tool what it does, and its module. */
const TOOLS: Record<string, [does: string, file: string]> = {
  bench: ["measures the targets of the design on the built programs", "bench.ts"],
  soak: ["endurance tests of the built programs: bus, apps, kill, attack, catalogue", "soak.ts"],
  seeds: ["runs the whole system on one virtual clock, decided by seeds", "seeds.ts"],
  mutants: ["certifies all broken, good and cheating apps", "mutants.ts"],
  public: ["judges apps of other people", "public/main.ts"],
  ecosystem: ["runs the public robot's SDK, its apps and its daemon", "ecosystem.ts"],
  fidelity: ["compares the simulated robot with another physics engine", "fidelity.ts"],
  "virtual-time": ["runs apps as the tests of their authors do, in virtual time", "virtual-time.ts"],
};

const name = process.argv[2];
const [, file] = TOOLS[name ?? ""] ?? [];
if (file === undefined) {
  if (name !== undefined) console.error(`There is no tool ${name}.`);
  console.log("npm run lab -- NAME [ARGUMENT...]");
  for (const [tool, [does]] of Object.entries(TOOLS)) console.log(`  ${tool.padEnd(14)} ${does}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  process.argv.splice(2, 1);
  await import(`./${file}`);
}
