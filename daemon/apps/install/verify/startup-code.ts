/**
 * Where Python's `site` module ends a line of a `.pth` file, in all of its versions
 * (https://docs.python.org/3/library/site.html).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what str.splitlines() splits at.
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** The line with which setuptools offers the module distutils. */
const DISTUTILS =
  /^import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os\.environ\.get\(var, '(local|stdlib)'\) == 'local'; enabled and __import__\('_distutils_hack'\)(\.add_shim\(\))?; ?$/;

/**
 * The statements of the line with which setuptools makes a package that several distributions share (`-nspkg.pth`); N
 * stands for the name of that package.
 */
const NAMESPACE_STATEMENTS: ReadonlySet<string> = new Set([
  "import sys, types, os",
  "has_mfs = sys.version_info > (3, 5)",
  "p = os.path.join(sys._getframe(1).f_locals['sitedir'], *(N))",
  "importlib = has_mfs and __import__('importlib.util')",
  "has_mfs and __import__('importlib.machinery')",
  "m = has_mfs and sys.modules.setdefault(N, importlib.util.module_from_spec(importlib.machinery.PathFinder.find_spec(N, [os.path.dirname(p)])))",
  "m = m or sys.modules.setdefault(N, types.ModuleType(N))",
  "ie = os.path.exists(os.path.join(p,'__init__.py'))",
  "m = not ie and sys.modules.setdefault(N, types.ModuleType(N))",
  "mp = (m or []) and m.__dict__.setdefault('__path__',[])",
  "(p not in mp) and mp.append(p)",
  "m and setattr(sys.modules[N], N, m)",
]);
const FIXED_NAMES: ReadonlySet<string> = new Set([
  "sitedir",
  "importlib.util",
  "importlib.machinery",
  "__init__.py",
  "__path__",
]);

/** What a `.pth` file does at every start of Python, besides adding folders. */
interface StartupCode {
  /** The first line of code that is not in one of the known forms; null without one. */
  code: string | null;
  /** The packages that its lines in the known form share between distributions, and their parents. */
  namespaces: string[];
}

/** Reads the code of a `.pth` file: the lines that begin with `import`. */
export function startupCodeIn(pth: string): StartupCode {
  const lines = pth.replace(/^\uFEFF/, "").split(LINE_END);
  const code = lines.filter((line) => /^import[ \t]/.test(line)).map((line) => line.trimEnd());
  const read = code.map((line) => (DISTUTILS.test(line) || DISTUTILS.test(`${line};`) ? [] : namespacesOf(line)));
  const unknown = read.indexOf(null);
  const namespaces = new Set(read.flatMap((found) => found ?? []));
  return { code: unknown === -1 ? null : (code[unknown] as string), namespaces: [...namespaces] };
}

/** The packages that a line in the form of setuptools names; null for any other line. */
function namespacesOf(line: string): string[] | null {
  const names: string[] = [];
  const isKnown = line.split(/; ?/).every((statement) => {
    const form = statement.replace(/'(\w+(?:\.\w+)*)'/g, (quoted, name: string) => {
      if (FIXED_NAMES.has(name)) return quoted;
      names.push(...name.split("."));
      return "N";
    });
    return NAMESPACE_STATEMENTS.has(form.replace(/\(N(, N)*,?\)\)$/, "(N))"));
  });
  return isKnown ? names : null;
}
