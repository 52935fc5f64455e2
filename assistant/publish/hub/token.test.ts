import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { findToken } from "./token.ts";

let home = "";
beforeEach(async () => {
  home = temporaryFolder("token-");
});

async function keep(file: string, text: string): Promise<string> {
  await mkdir(path.dirname(path.join(home, file)), { recursive: true });
  await writeFile(path.join(home, file), text);
  return path.join(home, file);
}

test("is read from the places of the platform's CLI, in its order", async () => {
  await keep(".cache/huggingface/token", "hf_home\n");
  expect(await findToken({ HOME: home })).toBe("hf_home");
  await keep("xdg/huggingface/token", "hf_xdg");
  const xdg = { HOME: home, XDG_CACHE_HOME: path.join(home, "xdg") };
  expect(await findToken(xdg)).toBe("hf_xdg");
  await keep("hf/token", "hf_hf");
  const hf = { ...xdg, HF_HOME: path.join(home, "hf") };
  expect(await findToken(hf)).toBe("hf_hf");
  const named = { ...hf, HF_TOKEN_PATH: await keep("elsewhere", "hf_named") };
  expect(await findToken(named)).toBe("hf_named");
  expect(await findToken({ ...named, HF_TOKEN: " hf_env\n" })).toBe("hf_env");
  expect(await findToken({ ...named, HF_TOKEN: "" })).toBe("hf_named");
});

test("a missing token is refused with how to log in", async () => {
  await expect(findToken({ HOME: home })).rejects.toMatchObject({ code: "hub-token" });
  await expect(findToken({ HOME: home })).rejects.toThrow(
    `There is no token in HF_TOKEN or ${home}/.cache/huggingface/token. Run hf auth login`,
  );
});

test("a value that is not a token is refused and not shown", async () => {
  const wrong = findToken({ HF_TOKEN: "secret-of-another-service" });
  await expect(wrong).rejects.toMatchObject({ code: "hub-token", message: expect.not.stringContaining("secret") });
  await expect(findToken({ HF_TOKEN: "hf_one\nhf_two" })).rejects.toThrow("is not a token");
});
