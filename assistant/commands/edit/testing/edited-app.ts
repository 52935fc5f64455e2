import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import { startReplayServer } from "../../../../edit/testing/replay/server.ts";
import { runProgram } from "../../../program.ts";
import type { Terminal } from "../../../terminal.ts";
import { fakeTerminal } from "../../../testing/fake-terminal.ts";

/** An app's main.py that passes its check, with this greeting. */
const mainWith = (greeting: string) => `from robot_sdk import RobotApp


class Hello(RobotApp):
    def run(self, robot, stop_event):
        stop_event.wait(greet())


def greet():
    return ${greeting}


if __name__ == "__main__":
    app = Hello()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;
/** The main.py of the app, and that of `ANSWER`. */
export const BEFORE = mainWith("1");
export const AFTER = mainWith("2");
/** An answer of a model that edits `BEFORE` to `AFTER` and explains it, with an escape sequence. */
export const ANSWER = `\`\`\`python\n${AFTER}\n\`\`\`<|next_end|>\nTwo is \x1b[31mmore.<|im_end|>`;

/** The command line that edits the app in the current folder. */
export const edit = (...args: string[]) => ["edit", ".", "-i", "Return two.", ...args];

/** An app in a temporary folder, and the commands that edit it. */
export interface EditedApp {
  folder: string;
  /** The path of its main.py. */
  main: string;
  env: Record<string, string>;
  /** Runs a command line against a server that gives these answers, one after the other; returns what it wrote. */
  run(
    args: string[],
    answers?: string[],
    more?: Partial<Terminal> & { answer?: boolean },
  ): Promise<ReturnType<typeof fakeTerminal>["written"] & { prompts: string[] }>;
}

/** Creates the app, and a model that was trained for whole files; the end of the test removes it. */
export async function createEditedApp(): Promise<EditedApp> {
  const folder = temporaryFolder("edit-command-");
  const env = { XDG_STATE_HOME: join(folder, "state"), ROBOT_MODEL_FORMAT: "wf" };
  const main = join(folder, "hello", "main.py");
  await mkdir(join(folder, "hello"));
  await writeFile(main, BEFORE);
  await writeFile(join(folder, "hello", "__init__.py"), "");
  await writeFile(join(folder, "index.html"), "<p>Hello</p>\n");
  await writeFile(join(folder, "style.css"), "p {}\n");
  await writeFile(join(folder, "README.md"), "---\ntags:\n  - robot_python_app\n---\n");
  await writeFile(
    join(folder, "pyproject.toml"),
    '[project]\nname = "hello"\nversion = "0.1.0"\n\n[tool.setuptools]\npackages = ["hello"]\n\n[project.entry-points.robot_apps]\nhello = "hello.main:Hello"\n',
  );
  return {
    folder,
    main,
    env,
    async run(args, answers = [ANSWER], more = {}) {
      const prompts: string[] = [];
      const answerTo = async (prompt: string) => answers[Math.min(prompts.push(prompt), answers.length) - 1];
      const server = await startReplayServer({ answerTo });
      const terminal = fakeTerminal({ env: { ...env, ROBOT_MODEL_URL: server.url }, cwd: folder, ...more });
      await runProgram(args, "0.0.0", terminal);
      await server.close();
      return { ...terminal.written, prompts };
    },
  };
}
