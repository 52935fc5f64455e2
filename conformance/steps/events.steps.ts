import assert from "node:assert/strict";
import { Then } from "@cucumber/cucumber";
import { within } from "../runner/waiting.ts";
import type { Scene } from "./scene.ts";

/** An event's sentence, and what it says to programs. */
const text = ({ message, data }: { message: string; data: unknown }): string => `${message} ${JSON.stringify(data)}`;

Then("a robot event {string} tells {string}", async function (this: Scene, kind: string, words: string) {
  await within(8000, `an event ${kind} tells "${words}"`, () => {
    const told = this.happenings.events.filter((event) => event.kind === kind).map(text);
    if (told.some((one) => new RegExp(words).test(one))) return true;
    throw new Error(told.length === 0 ? "there was none" : told.join("; "));
  });
});

Then("no robot event is a warning", function (this: Scene) {
  const warnings = this.happenings.events.filter(({ level }) => level !== "info");
  assert.deepEqual(warnings.map(text), []);
});
