import { usePage } from "../shell/context.ts";
import { Dialog } from "../shell/dialog.tsx";
import "./dialogs.css";

/** The templates of `create`, with what they are for. */
const TEMPLATES = [
  ["default", "the smallest app that moves the robot"],
  ["settings", "the same with settings that this dashboard shows"],
  ["page", "the same with a page of its own"],
  ["conversation", "listens, asks a language model, speaks and moves"],
] as const;

/** How to create an app: two commands, in a terminal on this machine. */
export function NewAppDialog() {
  const { dashboard } = usePage();
  if (!dashboard.newAppOpen.value) return null;
  return (
    <Dialog
      title="New app"
      close={() => {
        dashboard.newAppOpen.value = false;
      }}
    >
      <div class="new-app">
        <p>In a terminal on the machine of this daemon:</p>
        <pre>{"robot-app-assistant create my_app\nrobot-app-assistant dev my_app --open"}</pre>
        <p class="muted">
          The first command writes the app, the second one installs it, starts it here, and starts it again after each
          save. In a clone of the project, write <code>npx</code> before them.
        </p>
        <p>
          <code>create --template NAME</code> begins with another app:
        </p>
        <dl>
          {TEMPLATES.map(([name, text]) => (
            <>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
