import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import type { Route } from "../../rest/route.ts";
import { COMPATIBILITY_ROUTES, type CompatibilityRoute } from "./compatibility.ts";

/** Routes of the public daemon that ours has not: each is answered with 501 and what to use instead. */
export function notHereRoutes(): Route[] {
  return COMPATIBILITY_ROUTES.filter(({ method, here }) => here === "not here" && method !== "WS").map(refusal);
}

function refusal({ method, path, note }: CompatibilityRoute): Route {
  return {
    method: method.toLowerCase() as Route["method"],
    path: path.replace(/\{(\w+)\}/g, ":$1"),
    summary: `Not here: ${note}`,
    tag: "interface",
    errors: ["not-here"],
    handle: () => {
      throw new WorkbenchError("not-here", `${method} ${path} is not here. ${note}`);
    },
  };
}
