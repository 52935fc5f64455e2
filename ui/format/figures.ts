/** A measured value with three significant digits: 0.0123, 1.23, 12.3, 1,230. */
export const formatFigure = (value: number): string =>
  new Intl.NumberFormat("en", {
    maximumSignificantDigits: 3,
    notation: Math.abs(value) >= 1e6 ? "compact" : "standard",
  })
    .format(value)
    .replace("-", "−");

/** Seconds with two decimals, zero-padded so that columns stay aligned: 03.20. */
export const formatMoment = (seconds: number): string => seconds.toFixed(2).padStart(5, "0");

/** Round values for a scale from `from` to `to`, about `count` of them. */
export function roundTicks(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}
