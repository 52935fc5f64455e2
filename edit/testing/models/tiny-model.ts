import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CONTROL_TOKENS } from "../../tokens.ts";

/**
 * Writes a causal language model of a few hundred kB that a real runtime loads: a byte-level tokenizer with the
 * family's control tokens, and one ONNX node that looks up the next token of each token in a table. The pieces of
 * `script` are tokens of their own, each followed by the next, so that greedy decoding gives the script after its start.
 */
export async function writeTinyModel(folder: string, start: string, script: readonly string[]): Promise<void> {
  const bytes = byteLetters();
  const added = [...CONTROL_TOKENS, ...script.filter((piece) => !CONTROL_TOKENS.includes(piece))];
  const idOf = (piece: string) => bytes.length + added.indexOf(piece);
  const size = bytes.length + added.length;
  const logits = new Float32Array(size * size);
  [start, ...script].slice(0, -1).forEach((piece, at) => {
    logits[idOf(piece) * size + idOf(script[at] as string)] = 1;
  });
  const end = idOf(script.at(-1) as string);
  await mkdir(join(folder, "onnx"), { recursive: true });
  const save = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await save("config.json", {
    model_type: "gpt2",
    architectures: ["GPT2LMHeadModel"],
    ...{ vocab_size: size, n_layer: 0, n_head: 1, n_embd: 8, bos_token_id: end, eos_token_id: end },
  });
  await save("generation_config.json", { bos_token_id: end, eos_token_id: end });
  await save("tokenizer_config.json", {
    tokenizer_class: "GPT2Tokenizer",
    eos_token: script.at(-1),
    clean_up_tokenization_spaces: false,
  });
  await save("tokenizer.json", {
    version: "1.0",
    added_tokens: added.map((content) => ({
      ...{ id: idOf(content), content, special: CONTROL_TOKENS.includes(content) },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: false },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: Object.fromEntries(bytes.map((letter, id) => [letter, id])), merges: [] },
  });
  await writeFile(join(folder, "onnx", "model.onnx"), lookupModel(size, logits));
}

/** The printable letters that byte-level tokenizers write bytes as (GPT-2's `bytes_to_unicode`). */
export function byteLetters(): string[] {
  let spare = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCharCode(printable ? byte : spare++);
  });
}

/**
 * An ONNX model, `logits = Gather(table, input_ids)`, written in its wire format.
 * Field numbers from https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
function lookupModel(size: number, table: Float32Array): Buffer {
  const [FLOAT, INT64] = [1, 7];
  const tensor = message([1, size], [1, size], [2, FLOAT], [8, "table"], [9, Buffer.from(table.buffer)]);
  const shape = (...names: (string | number)[]) =>
    message(...names.map((name): Field => [1, typeof name === "string" ? message([2, name]) : message([1, name])]));
  const value = (name: string, type: number, dims: Buffer) =>
    message([1, name], [2, message([1, message([1, type], [2, dims])])]);
  const node = message([1, "table"], [1, "input_ids"], [2, "logits"], [4, "Gather"]);
  const graph = message(
    [1, node],
    [2, "lookup"],
    [5, tensor],
    [11, value("input_ids", INT64, shape("batch", "sequence"))],
    [12, value("logits", FLOAT, shape("batch", "sequence", size))],
  );
  return message([1, 8], [7, graph], [8, message([1, ""], [2, 13])]);
}

type Field = [number: number, value: number | string | Buffer];

/** A protobuf message: whole numbers as varints, text and messages with their length. */
function message(...fields: Field[]): Buffer {
  const parts = fields.map(([number, value]) => {
    if (typeof value === "number") return Buffer.from([...varint(number << 3), ...varint(value)]);
    const bytes = Buffer.from(value as string);
    return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
  });
  return Buffer.concat(parts);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}
