import type { Parameter, Parameters } from "../../../common/python/syntax-tree.ts";

/** The parameters as written, without annotations and defaults. */
export function parametersText({ positionalOnly, positional, variadic, keywordOnly, keywords }: Parameters): string {
  const star = variadic === undefined ? keywordOnly.slice(0, 1).map(() => "*") : [`*${variadic}`];
  const names = (parameters: readonly Parameter[]) => parameters.map(({ name }) => name);
  const doubleStar = keywords === undefined ? [] : [`**${keywords}`];
  const slash = positionalOnly.length > 0 ? ["/"] : [];
  return [...names(positionalOnly), ...slash, ...names(positional), ...star, ...names(keywordOnly), ...doubleStar].join(
    ", ",
  );
}

/** Whether a call with `count` positional arguments and no others is possible. */
export function acceptsPositional(count: number, parameters: Parameters): boolean {
  const { positionalOnly, positional, variadic, keywordOnly } = parameters;
  const named = [...positionalOnly, ...positional];
  const maximum = variadic === undefined ? named.length : Number.POSITIVE_INFINITY;
  const minimum = named.filter(({ hasDefault }) => !hasDefault).length;
  return minimum <= count && count <= maximum && keywordOnly.every(({ hasDefault }) => hasDefault);
}
