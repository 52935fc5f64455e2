import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { filesForOthersIn } from "./home-files.ts";

/** What is found in a home with files of these paths. */
function found(paths: readonly string[], ...names: string[]): string[] {
  const home = temporaryFolder("robot-home-");
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
  return [...filesForOthersIn(home, names).keys()];
}

test.each([
  ...[".bash_aliases", ".gitconfig", ".tmux.conf", ".xsessionrc", ".inputrc", ".vimrc", ".netrc", ".pypirc"],
  ...[".config/pip/pip.conf", ".config/uv/uv.toml", ".config/systemd/user/my_app.service", ".config/mimeapps.list"],
  ...[".local/bin/ls", "bin/ls", ".local/lib/python3.11/site-packages/usercustomize.py", ".ssh/authorized_keys"],
  ...[
    ".cache/pip/wheels/a.whl",
    ".local/share/applications/my_app.desktop",
    ".my_app",
    ".config/my_apps/a",
    ".cache/my_app.conf",
  ],
])("%s is for another program", (path) => {
  expect(found([path], "my_app")).toEqual([path]);
});

test.each([
  ...[".config/my_app/settings.toml", ".config/My App/a", ".local/share/my-app/a", ".local/state/my_app/a"],
  ...[
    ".cache/my_app/a",
    ".cache/huggingface/hub/model",
    ".insightface/models/a.onnx",
    ".config/pulse/cookie",
    ".config/Ultralytics/settings.json",
  ],
  ...["Music/.hidden/a.wav", "recording.wav", "my_app/.git/config"],
])("an app may write %s", (path) => {
  expect(found([path], "my_app")).toEqual([]);
});

test.each(["systemd", "git", "pip", "fish", "autostart"])("an app called %s has no folder of that program", (name) => {
  const paths = [".config", ".local/share"].map((place) => `${place}/${name}/config`);
  expect(found(paths, name)).toEqual(paths);
});

test("a link out of a folder of its own is found where it leads, and as a hidden name", () => {
  const home = temporaryFolder("robot-home-");
  for (const folder of [".config/my_app", ".config/git"]) mkdirSync(join(home, folder), { recursive: true });
  symlinkSync(join(home, ".config/git"), join(home, ".config/my_app/link"));
  writeFileSync(join(home, ".config/my_app/link/config"), "");
  symlinkSync(join(home, "x"), join(home, ".profile"));
  expect([...filesForOthersIn(home, ["my_app"]).keys()]).toEqual([".config/git/config", ".profile"]);
});
