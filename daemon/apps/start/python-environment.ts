type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that make Python use another installation, or run other code, than its virtual environment says. */
const PYTHON_OVERRIDES = new Set([
  "PYTHONPATH",
  "PYTHONHOME",
  "PYTHONEXECUTABLE",
  "PYTHONPLATLIBDIR",
  "PYTHONSTARTUP",
  "PYTHONINSPECT",
  "VIRTUAL_ENV",
  "VIRTUAL_ENV_PROMPT",
  "__PYVENV_LAUNCHER__",
]);

/** The daemon's environment without Python overrides: for apps, and for the tools that install them. */
export function pythonEnvironment(env: Environment): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !PYTHON_OVERRIDES.has(name)) result[name] = value;
  }
  return result;
}
