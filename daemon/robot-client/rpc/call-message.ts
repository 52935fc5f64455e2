/** A call of a method of an object in the robot process. `id` comes back with the answer. */
export interface CallMessage {
  kind: "call";
  id: number;
  object: string;
  method: string;
  args: readonly unknown[];
  /** Whether an answer without a result may come with the next state. */
  isAnsweredWithState?: boolean;
}

/** Whether a message is a call. By hand: the robot process starts sooner without the schema library. */
export function isCallMessage(message: unknown): message is CallMessage {
  if (typeof message !== "object" || message === null) return false;
  const { kind, id, object, method, args }: { [Key in keyof CallMessage]?: unknown } = message;
  const areNames = typeof object === "string" && typeof method === "string";
  return kind === "call" && typeof id === "number" && areNames && Array.isArray(args);
}
