import { sameName } from "../../../../robot/wire/apps/app-search.ts";
import type { Project } from "../check/project.ts";
import type { DeclaredApp } from "../environment/environment-state.ts";

/** What an install did to apps that are not of its project, and apps that the project does not name; as clauses. */
export function appFaults(before: readonly DeclaredApp[], after: readonly DeclaredApp[], project: Project): string[] {
  const isOwn = ({ distribution }: DeclaredApp) => sameName(distribution, project.name);
  const isNamed = ({ name, entryPoint }: DeclaredApp) =>
    project.entryPoints.some(({ key, module, className }) => key === name && `${module}:${className}` === entryPoint);
  const unnamed = after.filter((app) => isOwn(app) && !isNamed(app));
  const added = after.filter((app) => !isOwn(app) && !before.some((one) => isSame(one, app)));
  const lost = before.filter((app) => !isOwn(app) && !after.some((one) => isSame(one, app)));
  const replaced = lost.filter((app) => added.some((one) => one.distribution === app.distribution));
  return [
    ...unnamed.map(({ name }) => `its build offers the app ${name}, which its pyproject.toml does not name`),
    ...replaced.map(
      ({ name, distribution }) => `it changes ${distribution}, which offers the app ${name}; update that first`,
    ),
    ...added.map(({ name, distribution }) => `${distribution} offers the app ${name}`),
    ...lost.map(({ name, distribution }) => `the app ${name} of ${distribution} would be lost`),
  ];
}

function isSame(one: DeclaredApp, other: DeclaredApp): boolean {
  return (
    one.name === other.name &&
    one.distribution === other.distribution &&
    one.entryPoint === other.entryPoint &&
    one.file === other.file &&
    one.installation === other.installation
  );
}
