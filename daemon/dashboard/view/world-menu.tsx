import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { colourOf } from "../../../sim/viewer/model/colours.ts";
import { objectToAdd } from "../../../sim/viewer/spawn.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

/** What can be done to the world of a simulated robot: put things on its table, take them away, begin anew. */
export function WorldMenu() {
  const { dashboard } = usePage();
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open.value) return;
    const listening = new AbortController();
    const { signal } = listening;
    // While something is asked, presses are the question's.
    const outside = ({ target }: Event) => {
      if (dashboard.question.value === null && !box.current?.contains(target as Node)) open.value = false;
    };
    const leave = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || dashboard.question.value !== null) return;
      open.value = false;
      button.current?.focus();
    };
    document.addEventListener("pointerdown", outside, { signal });
    document.addEventListener("keydown", leave, { signal });
    return () => listening.abort();
  }, [open.value]);
  return (
    <div ref={box} class="world">
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-expanded={open.value}
        aria-controls="world-menu"
        aria-label="Objects on the table"
        title="Objects on the table"
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="cube" />
      </button>
      {open.value && <WorldPanel />}
    </div>
  );
}

function WorldPanel() {
  const { dashboard } = usePage();
  const { world } = dashboard;
  const ready = dashboard.connected.value;
  const add = (kind: "ball" | "box") => dashboard.addObject(objectToAdd(kind, world.latest.objects));
  const reset = () =>
    dashboard.ask({
      text: "Reset the simulated world?",
      detail: "The robot is unplugged for a moment and lies asleep where it started. The table is emptied.",
      action: "Reset",
      run: dashboard.resetWorld,
    });
  return (
    <section id="world-menu" class="world-panel" aria-label="The simulated world">
      <div class="world-adds">
        <button type="button" class="button button-small" disabled={!ready} onClick={() => add("ball")}>
          <Icon name="plus" /> Ball
        </button>
        <button type="button" class="button button-small" disabled={!ready} onClick={() => add("box")}>
          <Icon name="plus" /> Box
        </button>
      </div>
      {world.names.value.length === 0 ? (
        <p class="muted">The table is empty. Put something on it and carry it with the mouse.</p>
      ) : (
        <ul class="world-objects" aria-label="Objects">
          {world.names.value.map((name) => (
            <li key={name}>
              <i class="dot" style={{ color: colourOf(name) }} aria-hidden="true" />
              <span>{name}</span>
              <button
                type="button"
                class="icon-button"
                disabled={!ready}
                aria-label={`Take ${name} away`}
                onClick={() => dashboard.removeObject(name)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="button button-small" disabled={!ready} onClick={reset}>
        Reset the world…
      </button>
    </section>
  );
}
