import { test } from "vitest";
import { expectKilled } from "../expect-killed.ts";
import { ONE_PER_REQUIREMENT } from "../one-per-requirement.ts";

const names = ONE_PER_REQUIREMENT.filter((name) => name.startsWith("ENV-"));
test.each(names)("%s fails its requirement and no other one", expectKilled);
