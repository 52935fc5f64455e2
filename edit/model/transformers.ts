import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { TOKEN } from "../tokens.ts";
import type { CompleteOptions, Completion, CompletionRequest, ModelClient } from "./types.ts";

/** The optional package that runs models in this process. */
const PACKAGE = "@huggingface/transformers";

export interface LocalModelOptions {
  /** A model's folder: config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx or a variant. */
  folder: string;
  /** Precision of the weights, as the package names it. Default fp32. */
  dtype?: string;
  /** Device to run on, as the package names it. Default cpu. */
  device?: string;
  /** The working directory: `folder` is relative to it, and the package is searched here when this package lacks it. */
  cwd: string;
  /** Places to search for the package instead. */
  packagePlaces?: readonly URL[];
}

/** The part of the package that is used. Shapes as in its documentation of `AutoTokenizer` and `AutoModelForCausalLM`. */
interface Transformers {
  env: { allowRemoteModels: boolean };
  AutoTokenizer: { from_pretrained(folder: string, options: object): Promise<Tokenizer> };
  AutoModelForCausalLM: { from_pretrained(folder: string, options: object): Promise<CausalModel> };
  TextStreamer: new (tokenizer: Tokenizer, options: object) => unknown;
  InterruptableStoppingCriteria: new () => { interrupt(): void };
}
interface Tokenizer {
  (text: string, options: object): { input_ids: Tensor };
  decode(ids: Tensor | bigint[], options: object): string;
}
interface Tensor {
  dims: number[];
  tolist(): bigint[][];
}
interface CausalModel {
  generate(options: object): Promise<Tensor>;
  dispose(): Promise<unknown>;
}

/**
 * Loads a model to run in this process. Decoding is greedy.
 * @throws WorkbenchError `model-missing` when the package or the model is absent, or the folder is no such model
 */
export async function loadLocalModel(options: LocalModelOptions): Promise<ModelClient & { dispose(): Promise<void> }> {
  const folder = resolve(options.cwd, options.folder);
  if (!existsSync(join(folder, "config.json"))) {
    const detail = `${folder} holds no model: it needs config.json, tokenizer.json and onnx/model.onnx.`;
    throw new WorkbenchError("model-missing", `${detail} docs/serving.md says how to get one.`);
  }
  const places = [new URL(import.meta.url), pathToFileURL(join(options.cwd, "package.json"))];
  const library = loadPackage(options.packagePlaces ?? places, options.cwd);
  library.env.allowRemoteModels = false;
  const { dtype = "fp32", device = "cpu" } = options;
  const [tokenizer, model] = await Promise.all([
    library.AutoTokenizer.from_pretrained(folder, { local_files_only: true }),
    library.AutoModelForCausalLM.from_pretrained(folder, { local_files_only: true, dtype, device }),
  ]).catch((cause: unknown) => {
    throw new WorkbenchError("model-missing", `${folder} could not be loaded: ${(cause as Error).message}`, { cause });
  });
  return {
    model: basename(folder),
    dispose: async () => void (await model.dispose()),
    complete: (request, options) => generate(library, tokenizer, model, request, options),
  };
}

async function generate(
  library: Transformers,
  tokenizer: Tokenizer,
  model: CausalModel,
  { prompt, maxTokens, explain }: CompletionRequest,
  { signal, onText }: CompleteOptions = {},
): Promise<Completion> {
  signal?.throwIfAborted();
  const { input_ids } = tokenizer(prompt, { add_special_tokens: false });
  const stopping = new library.InterruptableStoppingCriteria();
  const stop = () => stopping.interrupt();
  let answer = "";
  const streamer = new library.TextStreamer(tokenizer, {
    skip_prompt: true,
    decode_kwargs: { skip_special_tokens: false },
    callback_function: (text: string) => {
      answer += text;
      if (!explain && answer.includes(TOKEN.editEnd)) stop();
      onText?.(text);
    },
  });
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const settings = { max_new_tokens: maxTokens, do_sample: false, streamer, stopping_criteria: [stopping] };
    const output = await model.generate({ input_ids, ...settings });
    signal?.throwIfAborted();
    const generated = (output.tolist()[0] ?? []).slice(input_ids.dims.at(-1));
    return { text: tokenizer.decode(generated, { skip_special_tokens: false }), finished: false };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Loads the package from the first place that has it. Its CommonJS build loads synchronously. */
function loadPackage(places: readonly URL[], cwd: string): Transformers {
  for (const place of places) {
    try {
      return createRequire(place)(PACKAGE) as Transformers;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") continue;
      throw new WorkbenchError("model-missing", `${PACKAGE} does not load: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  throw new WorkbenchError(
    "model-missing",
    `The package ${PACKAGE} is not installed. Models run in this process with it: npm install ${PACKAGE} in ${cwd}, ` +
      "or use a server (docs/serving.md).",
  );
}
