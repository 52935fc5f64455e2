import { expect, test } from "vitest";
import { startupCodeIn } from "./startup-code.ts";

/** As setuptools 80 writes it for `google.cloud`. */
const NAMESPACE = [
  "import sys, types, os",
  "has_mfs = sys.version_info > (3, 5)",
  "p = os.path.join(sys._getframe(1).f_locals['sitedir'], *('google', 'cloud'))",
  "importlib = has_mfs and __import__('importlib.util')",
  "has_mfs and __import__('importlib.machinery')",
  "m = has_mfs and sys.modules.setdefault('google.cloud', importlib.util.module_from_spec(importlib.machinery.PathFinder.find_spec('google.cloud', [os.path.dirname(p)])))",
  "m = m or sys.modules.setdefault('google.cloud', types.ModuleType('google.cloud'))",
  "mp = (m or []) and m.__dict__.setdefault('__path__',[])",
  "(p not in mp) and mp.append(p)",
  "m and setattr(sys.modules['google'], 'cloud', m)",
].join(";");
/** As setuptools 20 wrote it, for matplotlib 3.0 among others. */
const OLD_NAMESPACE =
  "import sys, types, os;p = os.path.join(sys._getframe(1).f_locals['sitedir'], *('mpl_toolkits',));ie = os.path.exists(os.path.join(p,'__init__.py'));m = not ie and sys.modules.setdefault('mpl_toolkits', types.ModuleType('mpl_toolkits'));mp = (m or []) and m.__dict__.setdefault('__path__',[]);(p not in mp) and mp.append(p)";
const DISTUTILS =
  "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') == 'local'; enabled and __import__('_distutils_hack'); ";

test.each<[string, string, string[]]>([
  ["folders and comments", "# a\n\n/home/me/my_app\nvendored\nimportant\n", []],
  ["a shared package", `${NAMESPACE}\n`, ["google", "cloud"]],
  ["a shared package of an old setuptools", `${OLD_NAMESPACE}\n`, ["mpl_toolkits"]],
  ["setuptools", DISTUTILS, []],
])("no unknown code in %s", (_, pth, namespaces) => {
  expect(startupCodeIn(pth)).toEqual({ code: null, namespaces });
});

test.each([
  ["a module", "import coverage"],
  ["a module after a tab", "import\tevil"],
  ["code after the known form", `${NAMESPACE};exec('1')`],
  ["code in place of a name", NAMESPACE.replaceAll("'google.cloud'", "exec('1')")],
  ["a code in place of a part", NAMESPACE.replace("*('google', 'cloud')", "*('google', exec('1'))")],
  ["another variable", DISTUTILS.replace("_distutils_hack", "evil")],
])("%s is code", (_, line) => {
  expect(startupCodeIn(`folder\n${line}\n`).code).toBe(line.trimEnd());
});

test.each(["\r", "\x0c", "\x85", "\u2028"])("a line ends where one version of Python ends it: %j", (end) => {
  expect(startupCodeIn(`# comment${end}import evil`).code).toBe("import evil");
});
test("a byte order mark hides nothing", () => {
  expect(startupCodeIn("\uFEFFimport evil").code).toBe("import evil");
});
