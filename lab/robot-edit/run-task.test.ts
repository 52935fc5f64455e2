import { expect, test } from "vitest";
import { MUTANTS } from "../../conformance/testing/mutants.ts";
import type { Completion, CompletionRequest } from "../../edit/model/types.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { digestOfTask, runTask } from "./run-task.ts";

const TASK = "PKG-010-writes-a-file";
const OF_SEVERAL = "PKG-020-backend-of-its-own";

/** Runs a task with a model that gives one answer, again and again, or fails. */
async function run(name: string, answer: Completion | Error, instruct = false) {
  const requests: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest) => {
    requests.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { signal } = new AbortController();
  const options = {
    format: "sr",
    instruct,
    client: { model: "m-SR", complete },
    signal,
    jobs: 1,
    now: () => 0,
  } as const;
  return { result: await runTask(name, options), requests };
}

test("the model is told what certify says, and an answer that is refused is not sent back", async () => {
  const { result, requests } = await run(TASK, { text: "I cannot.<|next_end|>", finished: false, tokens: 5 });
  expect(result).toEqual({
    outcome: "refused",
    detail: expect.stringMatching(/fenced/),
    tokens: 5,
    seconds: 0,
    judged: 0,
  });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ explain: false, prompt: expect.stringContaining(MUTANTS[TASK]?.says as string) });
  expect(requests[0]?.prompt).toContain("PKG-010 fails (");
});

test("an answer without a change, and no answer, are told apart; a server that is gone ends the run", async () => {
  expect((await run(TASK, { text: "<|next_end|>", finished: false })).result).toMatchObject({
    ...{ outcome: "no change", tokens: null },
  });
  const failed = new WorkbenchError("model-failed", "It broke.");
  expect((await run(TASK, failed)).result).toMatchObject({ outcome: "no answer", detail: "It broke.", tokens: null });
  const gone = new WorkbenchError("model-unreachable", "It is gone.");
  await expect(run(TASK, gone)).rejects.toBe(gone);
});

test("a task of several files is left out without instructions, and asked in one request with them", async () => {
  const none = { text: "<|next_start|><|next_end|>", finished: false };
  const without = await run(OF_SEVERAL, none);
  expect([without.result.outcome, without.requests]).toEqual(["left out", []]);
  const { result, requests } = await run(OF_SEVERAL, none, true);
  expect([result.outcome, requests.length]).toEqual(["no change", 1]);
  expect(requests[0]?.messages[1]?.content).toContain("File: backend.py");
});

test("a task of one file that is missing is asked for as a new file", async () => {
  const missing = Object.entries(MUTANTS).find(
    ([
      ,
      {
        changes: [change, ...others],
      },
    ]) => change?.content === null && others.length === 0,
  );
  const { requests } = await run(missing?.[0] ?? "", { text: "<|next_end|>", finished: false }, true);
  expect(requests[0]?.messages[1]?.content).toContain(`These files do not exist yet: ${missing?.[1].changes[0]?.file}`);
});

test("tasks have different digests, each the same every time", async () => {
  const digests = await Promise.all([TASK, OF_SEVERAL, TASK].map(digestOfTask));
  expect(digests[0]).toBe(digests[2]);
  expect(digests[0]).not.toBe(digests[1]);
});
