// The order of Vitest's test files: the longest first, so that no worker begins a long file when the others are done.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/** Seconds of files that take long, for a clone in which they have not run yet. @type {Record<string, number>} */
const USUAL_SECONDS = JSON.parse(readFileSync(new URL("usual-seconds.json", import.meta.url), "utf8"));

export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @type {BaseSequencer["sort"]}
   */
  async sort(files) {
    const seconds = new Map(files.map((file) => [file, this.#seconds(file)]));
    const byLength = [...files].sort((one, other) => (seconds.get(other) ?? 0) - (seconds.get(one) ?? 0));
    return byLength.sort((one, other) => groupOf(one) - groupOf(other));
  }

  /** @param {import("vitest/node").TestSpecification} file */
  #seconds({ project, moduleId }) {
    const path = relative(this.ctx.config.root, moduleId);
    const last = this.ctx.cache.getFileTestResults(`${project.name}:${path}`);
    return last === undefined ? (USUAL_SECONDS[path] ?? 0) : last.duration / 1000;
  }
}

/** @param {import("vitest/node").TestSpecification} file */
const groupOf = ({ project }) => project.config.sequence.groupOrder;
