import { test } from "vitest";
import { expectCaught } from "../caught.ts";
import { MUTANTS } from "../mutants.ts";

test.each(Object.keys(MUTANTS))("%s is caught, and for nothing else", expectCaught);
