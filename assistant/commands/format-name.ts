import { z } from "zod";
import { FORMATS } from "../edit/formats/format.ts";

/** A format's name in JSON lines, in either case: people write WF as often as wf. */
export const FormatName = z.string().toLowerCase().pipe(z.enum(FORMATS));
