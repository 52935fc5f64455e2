import { z } from "zod";
import { FORMATS } from "../../../edit/formats/format.ts";

/** A format's name in JSON lines, in upper or lower case. */
export const FormatName = z.string().toLowerCase().pipe(z.enum(FORMATS));
