import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { z } from "zod";

/** Whether a model of a server is asked with the formats as instructions, because it was not trained for them. */
const Known = z.object({ serverUrl: z.string(), model: z.string(), instruct: z.boolean() });
type Known = z.infer<typeof Known>;

/** Models that are remembered, the latest. */
const MAX_MODELS = 100;

const pathOf = (folder: string) => join(folder, "models.json");

const isOf =
  ({ serverUrl, model }: Omit<Known, "instruct">) =>
  (other: Known) =>
    other.serverUrl === serverUrl && other.model === model;

/** How a model was last found to be asked; undefined when it is not remembered. */
export async function recallModel(folder: string, of: Omit<Known, "instruct">): Promise<boolean | undefined> {
  return (await readKnown(folder)).find(isOf(of))?.instruct;
}

/** Remembers how a model is asked. A memory that cannot be written only costs a question the next time. */
export async function rememberModel(folder: string, { serverUrl, model, instruct }: Known): Promise<void> {
  const known = { serverUrl, model, instruct };
  const others = (await readKnown(folder)).filter((other) => !isOf(known)(other));
  try {
    await mkdir(folder, { recursive: true });
    await writeFileAtomic(pathOf(folder), `${JSON.stringify([...others, known].slice(-MAX_MODELS))}\n`, {
      mode: 0o600,
    });
  } catch {
    // Asked again.
  }
}

async function readKnown(folder: string): Promise<Known[]> {
  try {
    return z.array(Known).parse(JSON.parse(await readFile(pathOf(folder), "utf8")));
  } catch {
    return [];
  }
}
