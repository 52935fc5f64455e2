import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The page of the workshop. Its editor is large and loads when the page is opened first. */
export function LazyWorkshopPage() {
  const [Page, setPage] = useState<{ component: ComponentType } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    import("./workshop-page.tsx").then(
      (module) => setPage({ component: module.default }),
      (error: unknown) => setFailure(String(error)),
    );
  }, []);
  if (Page !== null) return <Page.component />;
  return (
    <main class="page">
      <p class="muted" role="status">
        {failure === null ? "The editor is loading…" : `The editor could not be loaded: ${failure}. Reload the page.`}
      </p>
    </main>
  );
}
