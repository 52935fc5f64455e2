import type { Arguments } from "py-ast";

/** The parameters as they are written, without annotations and defaults. */
export function parametersOf({ posonlyargs, args, vararg, kwonlyargs, kwarg }: Arguments): string {
  const star = vararg === undefined ? kwonlyargs.slice(0, 1).map(() => "*") : [`*${vararg.arg}`];
  const names = (each: typeof args) => each.map(({ arg }) => arg);
  const doubleStar = kwarg === undefined ? [] : [`**${kwarg.arg}`];
  const slash = posonlyargs.length > 0 ? ["/"] : [];
  return [...names(posonlyargs), ...slash, ...names(args), ...star, ...names(kwonlyargs), ...doubleStar].join(", ");
}

/** Whether a call with so many positional arguments, and no others, is possible. */
export function takes(
  count: number,
  { posonlyargs, args, vararg, defaults, kwonlyargs, kw_defaults }: Arguments,
): boolean {
  const most = vararg === undefined ? posonlyargs.length + args.length : Number.POSITIVE_INFINITY;
  const least = posonlyargs.length + args.length - defaults.length;
  return least <= count && count <= most && kwonlyargs.every((_, at) => kw_defaults[at] != null);
}
