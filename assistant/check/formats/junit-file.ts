import type { Finding } from "../requirement.ts";
import { escapeXml } from "./escape-xml.ts";
import { placeOf } from "./place.ts";
