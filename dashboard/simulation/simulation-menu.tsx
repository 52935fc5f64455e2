import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { newTableObject } from "../../ui/viewer/objects/new-table-object.ts";
import { usePage } from "../shell/context.ts";
import "./simulation.css";

/** A menu for the simulated robot's table: add and remove objects, reset the simulation. */
export function SimulationMenu() {
  const { dashboard } = usePage();
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open.value) return;
    const listening = new AbortController();
    const { signal } = listening;
    // While the confirm dialog is open, clicks and keys belong to it.
    const isConfirming = () => dashboard.confirmation.value !== null;
    const closeOnOutsideClick = ({ target }: Event) => {
      if (!isConfirming() && !box.current?.contains(target as Node)) open.value = false;
    };
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || isConfirming()) return;
      open.value = false;
      button.current?.focus();
    };
    document.addEventListener("pointerdown", closeOnOutsideClick, { signal });
    document.addEventListener("keydown", closeOnEscape, { signal });
    return () => listening.abort();
  }, [open.value]);
  return (
    <div ref={box} class="simulation-menu">
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-expanded={open.value}
        aria-controls="simulation-menu"
        aria-label="Objects on the table"
        title="Objects on the table"
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="cube" />
      </button>
      {open.value && <SimulationPanel />}
    </div>
  );
}

function SimulationPanel() {
  const { dashboard } = usePage();
  const { objects } = dashboard;
  const ready = dashboard.connected.value;
  const add = (kind: "ball" | "box") => dashboard.addObject(newTableObject(kind, objects.latest.objects));
  const reset = () =>
    dashboard.confirm({
      text: "Reset the simulation?",
      detail: "The robot disconnects for a moment and starts asleep in its initial place. The table is cleared.",
      action: "Reset",
      run: dashboard.resetSimulation,
    });
  return (
    <section id="simulation-menu" class="simulation-panel" aria-label="Simulation">
      <div class="simulation-add">
        <Button small disabled={!ready} onClick={() => add("ball")}>
          <Icon name="plus" /> Ball
        </Button>
        <Button small disabled={!ready} onClick={() => add("box")}>
          <Icon name="plus" /> Box
        </Button>
      </div>
      {objects.list.value.length === 0 ? (
        <p class="muted">The table is empty. Add an object and drag it with the mouse.</p>
      ) : (
        <ul class="simulation-objects" aria-label="Objects">
          {objects.list.value.map(({ name, color }) => (
            <li key={name}>
              <i class="dot" style={{ color }} aria-hidden="true" />
              <span>{name}</span>
              <IconButton
                icon="close"
                label={`Remove ${name}`}
                disabled={!ready}
                onClick={() => dashboard.removeObject(name)}
                title={undefined}
              />
            </li>
          ))}
        </ul>
      )}
      <Button small disabled={!ready} onClick={reset}>
        Reset the simulation…
      </Button>
    </section>
  );
}
