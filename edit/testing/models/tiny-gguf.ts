import { writeFile } from "node:fs/promises";
import { CONTROL_TOKENS } from "../../tokens.ts";
import { byteLetters } from "./tiny-model.ts";

/** Embedding width: at least one dimension for every token, and even for the heads. */
const WIDTH = 288;
const [NORMAL, CONTROL, USER_DEFINED] = [1, 3, 4];

/**
 * Writes a model of 2 MB that llama.cpp loads: one layer without effect, so that each token determines the next, and a
 * table that gives the pieces of `script` in order after `start`.
 */
export async function writeTinyGguf(path: string, start: string, script: readonly string[]): Promise<void> {
  const tokens = [...new Set([...byteLetters(), ...CONTROL_TOKENS, ...script])];
  const id = new Map(tokens.map((token, at) => [token, at]));
  const chain = [start, ...script];
  const next = chain.slice(0, -1).map((token, at) => [token, chain[at + 1] as string]);
  const cell = ([from = "", to = ""]: string[]) => [id.get(to) ?? 0, id.get(from) ?? 0];
  const kinds = tokens.map((token) =>
    CONTROL_TOKENS.includes(token) ? CONTROL : script.includes(token) ? USER_DEFINED : NORMAL,
  );
  const values: [string, Buffer][] = [
    ["general.architecture", text("llama")],
    ["general.name", text("tiny")],
    ["llama.context_length", number(4096)],
    ["llama.embedding_length", number(WIDTH)],
    ["llama.block_count", number(1)],
    ["llama.feed_forward_length", number(32)],
    ["llama.attention.head_count", number(2)],
    ["llama.attention.layer_norm_rms_epsilon", real(1e-5)],
    ["llama.rope.dimension_count", number(WIDTH / 2)],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.pre", text("gpt-2")],
    ["tokenizer.ggml.tokens", array(8, tokens.map(string))],
    ["tokenizer.ggml.token_type", array(5, kinds.map(u32))],
    ["tokenizer.ggml.merges", array(8, [string("a b")])],
    ["tokenizer.ggml.eos_token_id", number(id.get("<|im_end|>") ?? 0)],
    ["tokenizer.ggml.add_bos_token", Buffer.concat([u32(7), Buffer.from([0])])],
  ];
  const size = tokens.length;
  const norm = new Float32Array(WIDTH).fill(1);
  const silent = ["attn_q", "attn_k", "attn_v", "attn_output"].map((name): Tensor => [name, [WIDTH, WIDTH], []]);
  const layer: Tensor[] = [
    ...silent,
    ["ffn_gate", [WIDTH, 32], []],
    ["ffn_up", [WIDTH, 32], []],
    ["ffn_down", [32, WIDTH], []],
  ];
  const tensors: Tensor[] = [
    ["token_embd", [WIDTH, size], tokens.map((_, at) => [at, at])],
    ["output", [WIDTH, size], next.map(cell)],
    ["output_norm", [WIDTH], norm],
    ...["attn_norm", "ffn_norm"].map((name): Tensor => [`blk.0.${name}`, [WIDTH], norm]),
    ...layer.map(([name, shape, data]): Tensor => [`blk.0.${name}`, shape, data]),
  ];
  await writeFile(path, gguf(values, tensors));
}

/** Name, shape with the innermost dimension first, and either all values or the places (row, column) of the ones. */
type Tensor = [name: string, shape: number[], data: Float32Array | number[][]];

/** The file format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
function gguf(values: [string, Buffer][], tensors: Tensor[]): Buffer {
  const head = [Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(values.length)];
  for (const [key, value] of values) head.push(string(key), value);
  let offset = 0;
  for (const [name, shape] of tensors) {
    head.push(string(`${name}.weight`), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset += bytesOf(shape);
  }
  const table = Buffer.concat(head);
  return Buffer.concat([
    table,
    Buffer.alloc(-table.length & 31),
    ...tensors.map(([, shape, data]) => floats(shape, data)),
  ]);
}

const bytesOf = (shape: number[]) => 4 * shape.reduce((count, size) => count * size, 1);

function floats(shape: number[], data: Float32Array | number[][]): Buffer {
  if (data instanceof Float32Array) return Buffer.from(data.buffer);
  const values = new Float32Array(bytesOf(shape) / 4);
  for (const [row = 0, column = 0] of data) values[row * (shape[0] ?? 0) + column] = 1;
  return Buffer.from(values.buffer);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
const u64 = (value: number) => Buffer.concat([u32(value), u32(0)]);
const string = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const number = (value: number) => Buffer.concat([u32(4), u32(value)]);
const text = (value: string) => Buffer.concat([u32(8), string(value)]);
const array = (type: number, items: Buffer[]) => Buffer.concat([u32(9), u32(type), u64(items.length), ...items]);
const real = (value: number) => Buffer.concat([u32(6), Buffer.from(new Float32Array([value]).buffer)]);
