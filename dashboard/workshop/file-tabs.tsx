import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MAX_PATH_LENGTH } from "../../robot/wire/workshop/limits.ts";
import { Button, IconButton } from "../../ui/components/buttons.tsx";
import type { EditSession } from "./edit-session.ts";

/** The id of the panel that the tabs show files in. */
export const FILE_PANEL_ID = "edited-file";
/** An id without spaces, another one for each name. */
const idOf = (name: string): string =>
  `tab-${name.replace(/[^a-z0-9-]/gi, (character) => `_${character.charCodeAt(0)}_`)}`;

/** The app's files as tabs; arrow keys go from one to the next. */
export function FileTabs({ session }: { session: EditSession }) {
  const list = useRef<HTMLDivElement>(null);
  const { files, current } = session;
  const names = files.list.value.map(({ name }) => name);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current.value]);
  const select = (name: string, focus: boolean) => {
    current.value = name;
    if (focus) requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = names.indexOf(current.peek());
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    select(names[(next + names.length) % names.length] ?? "", true);
  };
  return (
    <div class="file-tabs">
      <div ref={list} class="file-tab-list" role="tablist" aria-label="Files of the app" onKeyDown={onKeyDown}>
        {names.map((name) => (
          <FileTab key={name} name={name} session={session} select={() => select(name, false)} />
        ))}
      </div>
      {files.get(current.value)?.hash === "" && (
        <IconButton
          icon="close"
          label={`Remove the new file ${current.value}`}
          title="Remove this new file"
          onClick={() => session.removeFile(current.peek())}
        />
      )}
      <NewFile session={session} />
    </div>
  );
}

function FileTab({ name, session, select }: { name: string; session: EditSession; select(): void }) {
  const isSelected = session.current.value === name;
  const isChanged = session.files.changed.value.some((file) => file.name === name);
  const found = session.findings.value.filter(({ file }) => file === name).length;
  return (
    <button
      id={idOf(name)}
      type="button"
      role="tab"
      class="file-tab"
      aria-selected={isSelected}
      aria-controls={FILE_PANEL_ID}
      tabIndex={isSelected ? 0 : -1}
      onClick={select}
    >
      {name}
      {isChanged && (
        <span class="file-changed">
          <span aria-hidden="true">●</span>
          <span class="visually-hidden">, changed</span>
        </span>
      )}
      {found > 0 && (
        <span class="file-findings">
          {found}
          <span class="visually-hidden"> findings</span>
        </span>
      )}
    </button>
  );
}

/** The name of the tab that is shown, for the panel's label. */
export const selectedTabId = ({ current }: EditSession): string => idOf(current.value);

function NewFile({ session }: { session: EditSession }) {
  const isOpen = useSignal(false);
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name")).trim();
    if (name === "") return;
    session.addFile(name);
    isOpen.value = false;
  };
  if (!isOpen.value)
    return (
      <IconButton
        icon="plus"
        label="New file"
        onClick={() => {
          isOpen.value = true;
        }}
      />
    );
  return (
    <form class="new-file" onSubmit={add}>
      <input
        class="field"
        name="name"
        aria-label="Path of the new file in the app"
        placeholder="my_app/moves.py"
        maxLength={MAX_PATH_LENGTH}
        required
        // Autofocus counts for the first focus of a page only.
        ref={(field) => field?.focus()}
        onKeyDown={({ key }) => {
          if (key === "Escape") isOpen.value = false;
        }}
      />
      <Button small type="submit">
        Add
      </Button>
    </form>
  );
}
