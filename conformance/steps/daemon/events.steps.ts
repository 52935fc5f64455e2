import assert from "node:assert/strict";
import { Then } from "@cucumber/cucumber";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import type { ScenarioWorld } from "../support/scenario-world.ts";

/** An event's message and data in one line. */
const text = ({ message, data }: { message: string; data: unknown }): string => `${message} ${JSON.stringify(data)}`;

Then("a robot event {string} matches {string}", async function (this: ScenarioWorld, kind: string, pattern: string) {
  await waitFor(DEADLINE_MS, `an event ${kind} matches ${pattern}`, () => {
    const events = this.eventStream.events.filter((event) => event.kind === kind).map(text);
    if (events.some((one) => new RegExp(pattern).test(one))) return true;
    throw new Error(events.length === 0 ? "there was none" : events.join("; "));
  });
});

Then("no robot event is a warning", function (this: ScenarioWorld) {
  const warnings = this.eventStream.events.filter(({ level }) => level !== "info");
  assert.deepEqual(warnings.map(text), []);
});
