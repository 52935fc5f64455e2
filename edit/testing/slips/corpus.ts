import type { Random } from "./random.ts";

/** A language of the generated files, and what models write for it. */
export interface Language {
  /** The canonical name. */
  name: string;
  /** Other names after a fence. */
  aliases: readonly string[];
  /** Begin and end of a comment. */
  comment: readonly [string, string];
  /** Pieces of files; each is a line or a few that belong together. */
  pieces: readonly string[];
}

/** Python: some of it does not parse when it is put together, and docstrings hold examples. */
const PYTHON = [
  "import math",
  "from robot_sdk import Robot, RobotApp",
  "x = 1",
  "y = [1, 2]",
  "def run(robot, stop_event):",
  "    swing = math.sin(2)",
  "    robot.set_target(antennas=[swing, -swing])",
  "    return swing",
  "class Wave(RobotApp):",
  '    """Waves."""',
  "if x > (1:",
  "# waits for it...",
  '"""Example:\n```python\nrun(1)\n```\n"""',
  '"""Title\n~~~~~\n"""',
];

const HASH = ["# ", ""] as const;
const SLASHES = ["// ", ""] as const;
const TAG = ["<!-- ", " -->"] as const;
const BLOCKS = ["```sh\nnpm start\n```", "```\nplain\n```", "```python\nx = 1\n```", "~~~sh\nls\n~~~"];

/** A language by its names, the canonical one first, with pieces separated by "|". */
function language(names: string, comment: Language["comment"], pieces: string, more: readonly string[] = []): Language {
  const [name = "", ...aliases] = names.split(" ");
  return { name, aliases, comment, pieces: [...pieces.split("|"), ...more] };
}

export const LANGUAGES: readonly Language[] = [
  language("python py Python python3", HASH, "", PYTHON),
  language(
    "html HTML htm",
    TAG,
    '<main>|  <h1>Wave</h1>|  <p>One</p>|  <p>Two</p>|</main>||<script src="a.js"></script>',
  ),
  language("css CSS", ["/* ", " */"], "a {|  color: red;|  margin: 0;|}||.b, .c { width: 10px; }|@media print {"),
  language("markdown md Markdown", TAG, "# Wave|Waves the antennas.|- one|1,2||Text after `code`.|## More", BLOCKS),
  language("toml TOML", HASH, '[project]|name = "wave"|version = 1||[tool.ruff]|line-length = 100|a = ["b"]'),
  language("yaml yml YAML", HASH, "a:|  - b|  - c: 1|d: [1, 2]||---|e: text"),
  language("json jsonc JSON", SLASHES, '{|  "a": 1,|  "b": [1, 2],|}|'),
  language(
    "javascript js jsx mjs",
    SLASHES,
    "const a = 1;|function f() {|  return a;|}||export { f };|const t = `a`;|f(...a);",
  ),
  language("typescript ts tsx", SLASHES, "const a: number = 1;|interface B {|  c: string;|}||export type { B };"),
  language("bash sh shell zsh", HASH, 'set -e|cd x||echo "1,2"|if true; then|  exit 1|fi|1,2'),
];

/** Lines of a file of a language; the last two are there once and not blank. */
export function randomFile(random: Random, { pieces, comment: [begin, end] }: Language): string[] {
  const count = 4 + random.below(14);
  const chosen = Array.from({ length: count }, () => random.pick(pieces));
  return [...chosen, `${begin}near the end${end}`, `${begin}the end${end}`].flatMap((piece) => piece.split("\n"));
}
