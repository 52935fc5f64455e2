import { expect, test } from "vitest";
import { checkFiles } from "../check-app.ts";
import { exampleFiles } from "../testing/example-app.ts";
import { declaredImports } from "./pkg-014-declared-imports.ts";

async function messagesFor(module: string): Promise<string[]> {
  const main = `import ${module}\n${exampleFiles.get("my_app/main.py")}`;
  const [result] = (await checkFiles("my_app", new Map(exampleFiles).set("my_app/main.py", main), [declaredImports]))
    .results;
  return (result?.findings ?? []).map(({ message }) => message);
}

test.each([
  ["scipy.spatial", "scipy"],
  ["cv2", "opencv-python"],
  ["PIL.Image", "pillow"],
  ["yaml", "pyyaml"],
  ["serial", "pyserial"],
  ["huggingface_hub", "huggingface-hub"],
])("import %s: %s is advised", async (module, distribution) => {
  expect(await messagesFor(module)).toEqual([expect.stringContaining(`add "${distribution}" to dependencies`)]);
});

// Each name is that of another distribution on the index, or of none.
test.each(["utils", "config", "helpers", "vision", "wave2", "camera", "audio", "constructor", "toString", "my_lib"])(
  "import %s: nothing is advised by its name",
  async (module) => {
    const [message, ...others] = await messagesFor(module);
    expect(others).toEqual([]);
    expect(message).toContain(`${module} is imported`);
    expect(message).toContain("no package is known to give this name");
    expect(message).not.toMatch(/add "/);
  },
);
