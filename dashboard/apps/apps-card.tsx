import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { CommunityList } from "../community/community-list.tsx";
import { usePage } from "../shell/context.ts";
import { AppList } from "./app-list.tsx";
import "./apps.css";

const TABS = ["installed", "community"] as const;
type Tab = (typeof TABS)[number];

/** The installed apps and those of the hub, as tabs. */
export function AppsCard() {
  const { dashboard } = usePage();
  const tab = useSignal<Tab>("installed");
  const tabBar = useRef<HTMLDivElement>(null);
  const select = (next: Tab) => {
    tab.value = next;
    if (next === "community") void dashboard.browse();
  };
  const browse = () => select("community");
  const count = dashboard.apps.value?.length ?? 0;
  const label = {
    installed: <>Installed {count > 0 && <span class="count">{count}</span>}</>,
    community: <>Community</>,
  };
  const handleKey = ({ key }: KeyboardEvent) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const next = tab.value === "installed" ? "community" : "installed";
    select(next);
    tabBar.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <section class="card" aria-label="Apps">
      <div ref={tabBar} class="tabs" role="tablist" aria-label="Apps" onKeyDown={handleKey}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            id={`tab-${name}`}
            class="tab"
            role="tab"
            aria-selected={tab.value === name}
            aria-controls="apps-panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => select(name)}
          >
            {label[name]}
          </button>
        ))}
      </div>
      <div id="apps-panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === "installed" ? <AppList browse={browse} /> : <CommunityList />}
      </div>
    </section>
  );
}
