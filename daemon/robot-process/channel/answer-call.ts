import { problemOf, WorkbenchError } from "../../../robot/wire/errors.ts";
import type { AnswerMessage } from "../../robot-client/rpc/answer-message.ts";
import type { CallMessage } from "../../robot-client/rpc/call-message.ts";

/** The objects that can be called, by their names on the channel. */
type CallableObjects = Readonly<Record<string, object | undefined>>;

/** Carries out a call; what the method resolves with or rejects with is the answer. */
export async function answerCall(
  objects: CallableObjects,
  { id, object, method, args }: CallMessage,
): Promise<AnswerMessage> {
  try {
    return { kind: "result", id, value: await invoke(objects[object], object, method, args) };
  } catch (error) {
    const { code, detail } = problemOf(error);
    return { kind: "error", id, code, detail };
  }
}

function invoke(target: object | undefined, name: string, method: string, args: readonly unknown[]): unknown {
  const implementation: unknown = target === undefined ? undefined : Reflect.get(target, method);
  if (target !== undefined && typeof implementation === "function") return Reflect.apply(implementation, target, args);
  const why = target === undefined ? `this robot has no ${name}` : `the ${name} has no such method`;
  throw new WorkbenchError("bad-request", `${name}.${method} cannot be called: ${why}.`);
}
