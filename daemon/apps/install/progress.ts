/** What pip and uv print on their way, and how far an install is then, in percent of the tool's work. */
const MILESTONES: readonly [RegExp, number][] = [
  [/^(Processing|Using Python)/, 5],
  [/^\s*(Collecting|Requirement already|Resolved)/, 20],
  [/^\s*(Downloading|Using cached|Prepared)/, 40],
  [/^\s*Building/, 50],
  [/^\s*(Created wheel|Built|Successfully built)/, 70],
  [/^\s*(Installing collected|Found existing|Uninstalled)/, 80],
  [/^\s*(Successfully (un)?installed|Installed)/, 100],
];

/** How far the line says that the tool has come; 0 when it says nothing about it. */
export function progressOf(line: string): number {
  return MILESTONES.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
}
