import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";

/** Opens the workshop of an app, where it has one. @param name of the app; the one that can be edited unless given */
export function EditButton({ name, class: look }: { name?: string; class: string }) {
  const { dashboard, workshop } = usePage();
  const app = workshop.app.value;
  if (app === null || (name !== undefined && name !== app)) return null;
  const open = () => {
    if (workshop.secret.peek() !== null) return workshop.open();
    dashboard.confirm({
      text: `Open ${app} by its link`,
      detail:
        "Who edits an app runs code, so this needs the secret of the link that the terminal shows in which the dashboard was started with dev or --workshop. In dev, the key d opens it.",
      action: "Close",
      run: () => {},
    });
  };
  return (
    <button type="button" class={look} aria-label={`Edit ${app}`} title={`Edit ${app}`} onClick={open}>
      <Icon name="pen" /> {name === undefined && <span class="edit-label">Edit {app}</span>}
    </button>
  );
}
