import * as cucumber from "@cucumber/cucumber";
import type { ScenarioWorld } from "./scenario-world.ts";

/** As cucumber's own functions, for steps whose `this` is the world of the scenario. */
type DefineStep = (pattern: string | RegExp, step: (this: ScenarioWorld, ...words: never[]) => unknown) => void;

export const Given: DefineStep = cucumber.Given;
export const When: DefineStep = cucumber.When;
export const Then: DefineStep = cucumber.Then;
