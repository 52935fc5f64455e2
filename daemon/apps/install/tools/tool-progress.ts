/** What pip and uv print at points of their work, and how far they are then, in percent. */
const MILESTONES: readonly [RegExp, number][] = [
  [/^(Processing|Using Python)/, 5],
  [/^\s*(Collecting|Requirement already|Resolved)/, 20],
  [/^\s*(Downloading|Using cached|Prepared)/, 40],
  [/^\s*Building/, 50],
  [/^\s*(Created wheel|Built|Successfully built)/, 70],
  [/^\s*(Installing collected|Found existing|Uninstalled)/, 80],
  [/^\s*(Successfully (un)?installed|Installed)/, 100],
];

/** How far a tool is when it prints this line, in percent; 0 when the line says nothing about it. */
export function progressOf(line: string): number {
  return MILESTONES.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
}
