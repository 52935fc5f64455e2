import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { DIALECTS } from "../../../../robot/dialects/dialects.ts";
import { normaliseName, sameName } from "../../../../robot/wire/apps/app-search.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { isOwnVenv } from "../../catalogue/own-venvs.ts";
import { SITE_CUSTOMIZATION_MODULES } from "../check/collisions.ts";
import type { Project } from "../check/project.ts";
import {
  changedDistributions,
  type EnvironmentState,
  isEnvironmentFile,
  readEnvironment,
} from "../environment/environment-state.ts";
import { requirementsOf } from "../environment/installed-distributions.ts";
import { copyBefore } from "../environment/transaction.ts";
import { ModuleOwners, modulePathOf } from "./module-owners.ts";
import { startupCodeIn } from "./startup-code.ts";
import { appFaults } from "./taken-apps.ts";

/** Distributions that all apps need. */
const NEEDED_BY_ALL = ["robot-sdk", "pip", "setuptools"];
/** Packages of which several variants exist by design, with the same modules. */
const VARIANTS: readonly RegExp[] = [
  /^opencv-(contrib-)?python(-headless)?$/,
  /^onnxruntime(-gpu)?$/,
  /^tensorflow(-cpu|-intel|-macos)?$/,
  /^psycopg2(-binary)?$/,
  /^faiss-(cpu|gpu)$/,
];

const UNCHANGED = "Everything is as it was before.";
const invalid = (
  what: string,
  next = "An app and what it needs may only bring files of their own packages.",
): WorkbenchError => new WorkbenchError("app-invalid", `The app cannot be installed: ${what}. ${next} ${UNCHANGED}`);
const conflict = (what: string): WorkbenchError => new WorkbenchError("dependency-conflict", `${what}. ${UNCHANGED}`);

/**
 * Rejects an install that took over what belongs to others: an app, a file or a module of an app, of the SDK or of what
 * they need; the environment's own settings; or the start of Python. To be called within the change of the environment.
 *
 * What is compared are the files themselves, since a wheel's own list of them may be wrong.
 * @param isEditable whether the app runs from its folder, for which its build may have Python run code
 * @throws WorkbenchError `app-invalid`, or `dependency-conflict` where an environment of its own would do
 */
export async function rejectTakeover(
  venv: string,
  before: EnvironmentState,
  { project, isEditable }: { project: Project; isEditable: boolean },
): Promise<void> {
  const after = await readEnvironment(venv);
  const [fault] = appFaults(before.apps, after.apps, project);
  if (fault !== undefined) throw invalid(fault, "Only an app's own package may offer or change it.");
  await new TakeoverCheck(venv, { before, after, project, isEditable }).run();
}

interface Parts {
  before: EnvironmentState;
  after: EnvironmentState;
  project: Project;
  isEditable: boolean;
}

class TakeoverCheck {
  readonly #venv: string;
  readonly #parts: Parts;
  readonly #changed: ReadonlySet<string>;
  readonly #modules: ModuleOwners;
  /** Normalised names of what other apps and all environments need. */
  #protected: ReadonlySet<string> = new Set();

  constructor(venv: string, parts: Parts) {
    this.#venv = venv;
    this.#parts = parts;
    // The project itself was installed, also where an editable install wrote the same files again.
    const changed = changedDistributions(parts.before, parts.after);
    this.#changed = new Set([...changed, normaliseName(parts.project.name)]);
    this.#modules = new ModuleOwners(venv, parts.before);
  }

  /** @throws WorkbenchError as `rejectTakeover` */
  async run(): Promise<void> {
    const { before, after, project } = this.#parts;
    const others = before.apps.map(({ distribution }) => distribution).filter((name) => !sameName(name, project.name));
    this.#protected = await withRequirements([...others, ...NEEDED_BY_ALL], before, "with extras");
    this.#checkAddresses();
    const files = new Set([...before.files.keys(), ...after.files.keys()]);
    for (const file of files) {
      const [old, now] = [before.files.get(file), after.files.get(file)];
      if (old === undefined) await this.#checkAdded(file);
      else if (now !== old) await this.#checkReplaced(file, now === undefined);
      else this.#checkClaims(file);
    }
    await this.#removeForeignCaches();
  }

  /** Python runs a cached module in place of its source, so those of unchanged packages are removed; Python makes new ones. */
  async #removeForeignCaches(): Promise<void> {
    const { before, after } = this.#parts;
    for (const [file, state] of after.caches) {
      if (before.caches.get(file) === state) continue;
      const [, folder, name] = /^(.*)__pycache__\/([^.]+)\.[^/]*$/.exec(file) ?? [];
      const owners = before.owners.get(`${folder}${name}.py`) ?? [];
      if (owners.some((owner) => !this.#changed.has(normaliseName(owner)))) await rm(path.join(this.#venv, file));
    }
  }

  /** What others need comes from the package index: an address of a dependency would decide for all of them. */
  #checkAddresses(): void {
    const { before, after, project } = this.#parts;
    const known = new Set(before.distributions.map(({ name }) => normaliseName(name)));
    for (const [name, address] of after.addresses) {
      if (sameName(name, project.name) || !known.has(name) || before.addresses.get(name) === address) continue;
      if (this.#protected.has(name)) throw conflict(`${name} comes from ${address}, and other apps need it`);
    }
  }

  async #checkAdded(file: string): Promise<void> {
    const culprit = this.#culpritOf(file);
    if (isEnvironmentFile(file)) {
      throw invalid(`${culprit} ships ${file}, which the environment itself needs`);
    }
    const module = modulePathOf(file);
    if (module !== null && SITE_CUSTOMIZATION_MODULES.has(module.split("/", 1)[0] ?? "")) {
      throw invalid(`${culprit} ships ${inSitePackages(file)}, which runs at every start of Python`);
    }
    await this.#checkStartupCode(file);
    const owners = this.#foreign(await this.#modules.ownersOf(file), file);
    if (owners.length > 0) throw this.#takenError(file, owners);
  }

  async #checkReplaced(file: string, isRemoved: boolean): Promise<void> {
    const owners = this.#parts.before.owners.get(file) ?? [];
    if (isRemoved && !owners.some((owner) => !this.#changed.has(normaliseName(owner))) && owners.length > 0) return;
    if (!isRemoved) await this.#checkStartupCode(file);
    const taken = owners.length === 0 ? ["the environment itself"] : this.#foreign(owners, file);
    if (taken.length === 0 || (!isRemoved && (await this.#isSame(file)))) return;
    if (owners.length > 0) throw this.#takenError(file, taken);
    throw invalid(`${this.#culpritOf(file)} ships ${inSitePackages(file)}, which the environment itself needs`);
  }

  /** A list that names files of others would have them removed with the distribution. */
  #checkClaims(file: string): void {
    const { before, after } = this.#parts;
    const old = before.owners.get(file) ?? [];
    const claimed = (after.owners.get(file) ?? []).filter((name) => !old.includes(name));
    const [culprit] = claimed.filter((name) => this.#changed.has(normaliseName(name)));
    if (culprit === undefined) return;
    const [owner] = old.length === 0 ? ["the environment itself"] : this.#foreign(old, file);
    if (owner !== undefined) throw invalid(`${culprit} claims ${inSitePackages(file)}, which belongs to ${owner}`);
  }

  /** Code at every start of Python concerns all apps of an environment. */
  async #checkStartupCode(file: string): Promise<void> {
    if (!/^lib\/[^/]+\/site-packages\/[^/]+\.pth$/.test(file)) return;
    const { code, namespaces } = startupCodeIn(await readFile(path.join(this.#venv, file), "latin1"));
    const culprit = this.#culpritOf(file);
    const shared = await Promise.all(namespaces.map((name) => this.#modules.ownersOfPackage(name)));
    const [owner] = this.#foreign(shared.flat(), file);
    if (owner !== undefined) throw invalid(`${culprit} shares a package of ${owner} in ${inSitePackages(file)}`);
    if (code === null || isOwnVenv(this.#venv)) return;
    const { project, isEditable, after } = this.#parts;
    if (isEditable && sameName(culprit, project.name)) return;
    if (DIALECTS.some(({ sdk }) => sameName(culprit, sdk.distribution))) return;
    const sdks = DIALECTS.map(({ sdk }) => sdk.distribution);
    const needed = await withRequirements(sdks, after, "always");
    if (needed.has(normaliseName(culprit))) return;
    throw conflict(
      `${culprit} ships ${inSitePackages(file)}, which runs code at every start of Python: of all apps, unless it is in an environment of its own`,
    );
  }

  #takenError(file: string, [owner]: readonly string[]): WorkbenchError {
    return conflict(`${this.#culpritOf(file)} ships ${inSitePackages(file)}, which belongs to ${owner}`);
  }

  /** Of the owners of a file, those that others need and that were not themselves changed by the installer. */
  #foreign(owners: readonly string[], file: string): string[] {
    const culprit = this.#culpritOf(file);
    return owners.filter((owner) => {
      const name = normaliseName(owner);
      const areVariants = VARIANTS.some((family) => family.test(owner) && family.test(culprit));
      return !this.#changed.has(name) && this.#protected.has(name) && !areVariants;
    });
  }

  #culpritOf(file: string): string {
    const owners = this.#parts.after.owners.get(file) ?? [];
    return owners.find((name) => this.#changed.has(normaliseName(name))) ?? "a package of the app";
  }

  async #isSame(file: string): Promise<boolean> {
    const read = (from: string) => readFile(from).catch(() => null);
    const [old, now] = await Promise.all([read(copyBefore(this.#venv, file)), read(path.join(this.#venv, file))]);
    return old !== null && now !== null && old.equals(now);
  }
}

/** A path as people know it: without the folder of all packages. */
const inSitePackages = (file: string): string => file.replace(/^lib\/[^/]+\/site-packages\//, "");

/** Normalised names of distributions, and of all that they require. */
async function withRequirements(
  names: readonly string[],
  { distributions }: EnvironmentState,
  which: Parameters<typeof requirementsOf>[1],
): Promise<Set<string>> {
  const found = new Set(names.map(normaliseName));
  // The set grows while it is walked.
  for (const name of found) {
    const distribution = distributions.find((one) => sameName(one.name, name));
    for (const required of distribution === undefined ? [] : await requirementsOf(distribution, which))
      found.add(normaliseName(required));
  }
  return found;
}
