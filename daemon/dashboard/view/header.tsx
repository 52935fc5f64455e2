import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

const LINK = { connecting: "Connecting", open: "Connected", lost: "Not connected" };

export function Header() {
  const { dashboard, theme } = usePage();
  const link = dashboard.link.value.kind;
  const dark = theme.theme.value === "dark";
  return (
    <header class="header">
      <h1 class="brand">
        <img src="./icon.svg" alt="" width="30" height="30" />
        Robot
      </h1>
      <span class={`link link-${link}`} role="status">
        <i class="dot" aria-hidden="true" />
        {LINK[link]}
      </span>
      <span class="spacer" />
      {dashboard.robot.version.value && <span class="version">v{dashboard.robot.version.value}</span>}
      <a
        class="icon-button"
        href="./openapi.json"
        target="_blank"
        rel="noreferrer"
        aria-label="REST interface"
        title="REST interface"
      >
        <Icon name="book" />
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={dark ? "Light theme" : "Dark theme"}
        title={dark ? "Light theme" : "Dark theme"}
        onClick={() => theme.toggle()}
      >
        <Icon name={dark ? "sun" : "moon"} />
      </button>
    </header>
  );
}
