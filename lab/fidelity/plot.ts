// A line plot as SVG.

const WIDTH = 720;
const HEIGHT = 300;
const MARGIN = { left: 48, right: 12, top: 28, bottom: 32 };
const COLOURS = ["#999999", "#c2410c", "#1d4ed8", "#15803d"];

/**
 * @param unit of the y axis
 * @param lines 100 values a second
 */
export function plot(title: string, unit: string, lines: { name: string; values: number[] }[]) {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const seconds = Math.max(...lines.map(({ values }) => values.length)) / 100;
  const x = (t: number) => MARGIN.left + (t / seconds) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) =>
    HEIGHT - MARGIN.bottom - ((value - low) / (high - low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const paths = lines.map(({ values }, index) => {
    const points = values.map((value, k) => `${x(k / 100).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    return `<polyline points="${points}" fill="none" stroke="${COLOURS[index]}" stroke-width="1.5"/>`;
  });
  const legend = lines.map(({ name }, index) => {
    const at = MARGIN.left + 170 * index;
    return `<text x="${at + 150}" y="16" fill="${COLOURS[index]}">${name}</text>`;
  });
  const ticks = Array.from({ length: 5 }, (_, k) => low + ((high - low) * k) / 4).map(
    (value) => `<text x="4" y="${(y(value) + 4).toFixed(1)}" fill="#666">${value.toFixed(1)}</text>`,
  );
  const times = Array.from({ length: Math.floor(seconds) + 1 }, (_, t) => {
    return `<text x="${x(t).toFixed(1)}" y="${HEIGHT - 10}" fill="#666" text-anchor="middle">${t} s</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<title>${title}, ${unit}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    `<text x="4" y="16" fill="#333">${title}, ${unit}</text>`,
    ...legend,
    ...ticks,
    ...times,
    ...paths,
    "</svg>\n",
  ].join("\n");
}
