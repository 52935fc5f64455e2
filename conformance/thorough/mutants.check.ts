import { test } from "vitest";
import { expectCaught } from "../testing/caught.ts";
import { MUTANTS } from "../testing/mutants.ts";

test.each(Object.keys(MUTANTS))("%s is caught, and for nothing else", expectCaught);
