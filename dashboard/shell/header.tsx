import { Icon } from "../../ui/components/icons.tsx";
import { ThemeButton } from "../../ui/components/theme-button.tsx";
import icon from "../../ui/theme/icon.svg?inline";
import { EditButton } from "../workshop/edit-button.tsx";
import { usePage } from "./context.ts";

const CONNECTION = {
  connecting: { text: "Connecting", tone: "warn" },
  open: { text: "Connected", tone: "good" },
  lost: { text: "Not connected", tone: "bad" },
};

export function Header() {
  const { dashboard, theme, workshop } = usePage();
  const { text, tone } = CONNECTION[dashboard.connection.value.kind];
  return (
    <header class="header">
      <h1 class="brand">
        <img src={icon} alt="" width="30" height="30" />
        Robot
      </h1>
      <span class={`connection tone-${tone}`} role="status">
        <i class="dot" aria-hidden="true" />
        {text}
      </span>
      <span class="spacer" />
      {!workshop.opened.value && <EditButton class="button button-small" />}
      {dashboard.robot.version.value && <span class="version">v{dashboard.robot.version.value}</span>}
      <a
        class="icon-button"
        href="./docs"
        target="_blank"
        rel="noreferrer"
        aria-label="REST interface"
        title="REST interface"
      >
        <Icon name="book" />
      </a>
      <ThemeButton theme={theme} />
    </header>
  );
}
