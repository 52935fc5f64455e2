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
  "",
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

export const LANGUAGES: readonly Language[] = [
  { name: "python", aliases: ["py", "Python", "python3"], comment: ["# ", ""], pieces: PYTHON },
  {
    name: "html",
    aliases: ["HTML", "htm"],
    comment: ["<!-- ", " -->"],
    pieces: [
      "<main>",
      "  <h1>Wave</h1>",
      "  <p>One</p>",
      "  <p>Two</p>",
      "</main>",
      "",
      '<script src="a.js"></script>',
    ],
  },
  {
    name: "css",
    aliases: ["CSS"],
    comment: ["/* ", " */"],
    pieces: ["a {", "  color: red;", "  margin: 0;", "}", "", ".b, .c { width: 10px; }", "@media print {"],
  },
  {
    name: "markdown",
    aliases: ["md", "Markdown"],
    comment: ["<!-- ", " -->"],
    pieces: [
      "# Wave",
      "Waves the antennas.",
      "- one",
      "1,2",
      "",
      "```sh\nnpm start\n```",
      "```\nplain\n```",
      "```python\nx = 1\n```",
      "~~~sh\nls\n~~~",
      "Text after `code`.",
      "## More",
    ],
  },
  {
    name: "toml",
    aliases: ["TOML"],
    comment: ["# ", ""],
    pieces: ["[project]", 'name = "wave"', "version = 1", "", "[tool.ruff]", "line-length = 100", 'a = ["b"]'],
  },
  {
    name: "yaml",
    aliases: ["yml", "YAML"],
    comment: ["# ", ""],
    pieces: ["a:", "  - b", "  - c: 1", "d: [1, 2]", "", "---", "e: text"],
  },
  {
    name: "json",
    aliases: ["jsonc", "JSON"],
    comment: ["// ", ""],
    pieces: ["{", '  "a": 1,', '  "b": [1, 2],', "}", ""],
  },
  {
    name: "javascript",
    aliases: ["js", "jsx", "mjs"],
    comment: ["// ", ""],
    pieces: ["const a = 1;", "function f() {", "  return a;", "}", "", "export { f };", "const t = `a`;", "f(...a);"],
  },
  {
    name: "typescript",
    aliases: ["ts", "tsx"],
    comment: ["// ", ""],
    pieces: ["const a: number = 1;", "interface B {", "  c: string;", "}", "", "export type { B };"],
  },
  {
    name: "bash",
    aliases: ["sh", "shell", "zsh"],
    comment: ["# ", ""],
    pieces: ["set -e", "cd x", "", 'echo "1,2"', "if true; then", "  exit 1", "fi", "1,2"],
  },
];

/** Lines of a file of a language; the last two are there once and not blank. */
export function randomFile(random: Random, { pieces, comment: [begin, end] }: Language): string[] {
  const count = 4 + random.below(14);
  const chosen = Array.from({ length: count }, () => random.pick(pieces));
  return [...chosen, `${begin}near the end${end}`, `${begin}the end${end}`].flatMap((piece) => piece.split("\n"));
}
