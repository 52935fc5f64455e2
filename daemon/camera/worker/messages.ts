import type { FrameContent, FrameFormat } from "../pictures/frame.ts";

/** To the worker. */
export interface FrameRequest {
  readonly id: number;
  readonly content: FrameContent;
  readonly formats: readonly FrameFormat[];
}

/** From the worker. An error is the text of a `camera-unavailable`. */
export type FrameReply =
  | { readonly id: number; readonly frames: Uint8Array[] }
  | { readonly id: number; readonly error: string };
