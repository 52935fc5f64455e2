/** Variables that would make the app's Python another one than the environment's, or run other code in it. */
const BENDS_PYTHON = new Set([
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

/** The environment of the daemon without what bends Python: for apps, and for the tools that install them. */
export function pythonEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !BENDS_PYTHON.has(name)) kept[name] = value;
  }
  return kept;
}
