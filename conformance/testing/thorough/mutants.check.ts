import { test } from "vitest";
import { expectKilled } from "../expect-killed.ts";
import { MUTANTS } from "../mutants.ts";

test.each(Object.keys(MUTANTS))("%s fails its requirement and no other one", expectKilled);
