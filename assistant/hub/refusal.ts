/** The `X-Error-Code` header by which the hub's clients tell apart what is missing. */
export type RefusalCode = "RepoNotFound" | "RevisionNotFound" | "EntryNotFound";

/** A request that the hub turns down: status and sentence, as its clients expect them. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode | undefined;

  constructor(status: number, message: string, code?: RefusalCode) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
  }
}
