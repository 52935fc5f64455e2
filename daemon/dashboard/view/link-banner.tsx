import { useNow, usePage } from "./context.ts";

/** Says that the daemon is out of reach, and what to do. */
export function LinkBanner() {
  const { dashboard, reconnect } = usePage();
  const link = dashboard.link.value;
  const now = useNow(link.kind === "lost");
  if (dashboard.locked.value)
    return (
      <div class="banner" role="alert">
        This daemon asks for its token: open the link that its terminal shows, it carries the token.
      </div>
    );
  if (link.kind !== "lost") return null;
  const seconds = Math.max(0, Math.ceil((link.retryAt - now) / 1000));
  return (
    <div class="banner" role="alert">
      <span>
        <b>The daemon is out of reach.</b> What you see is the last it said.{" "}
        {seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again…"}
      </span>
      <button type="button" class="button button-small" onClick={reconnect}>
        Try now
      </button>
    </div>
  );
}
