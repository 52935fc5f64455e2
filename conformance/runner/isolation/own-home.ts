type Env = Readonly<Record<string, string | undefined>>;

/** Variables of folders that are inside the home, where they are not given. */
const BASE_DIRECTORIES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
/** Variables by which programs and libraries are found, which no program writes to. */
const SEARCH_PATHS = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];

/**
 * The variables by which an app would find the home of the person who certifies it. Without them, and with another `HOME`, an app
 * that runs without a sandbox writes into a home of its own.
 * @param env the environment of that person
 */
export function variablesOfHome(env: Env): string[] {
  const { HOME: home = "" } = env;
  const isInside = (path: string) => home.length > 1 && (path === home || path.startsWith(`${home}/`));
  const leading = Object.keys(env).filter(
    (name) => !["HOME", ...SEARCH_PATHS].includes(name) && (env[name] ?? "").split(":").some(isInside),
  );
  return [...new Set([...BASE_DIRECTORIES, ...leading])].sort();
}

/** An environment with another home. */
export const withHome = (env: Env, home: string): Env => {
  const left = new Set(variablesOfHome(env));
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !left.has(name))), HOME: home };
};
