import { Button } from "../../ui/components/buttons.tsx";
import { useNow, usePage } from "../shell/context.ts";

/** Says that the daemon cannot be reached, and what to do. */
export function ConnectionBanner() {
  const { dashboard, reconnect } = usePage();
  const connection = dashboard.connection.value;
  const now = useNow(connection.kind === "lost");
  if (dashboard.locked.value)
    return (
      <div class="banner" role="alert">
        This daemon requires its token: open the link that it prints in its terminal, which includes the token.
      </div>
    );
  if (connection.kind !== "lost") return null;
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
  return (
    <div class="banner" role="alert">
      <span>
        <b>The daemon cannot be reached.</b> This page shows its last state.{" "}
        {seconds > 0 ? `Retrying in ${seconds} s.` : "Retrying…"}
      </span>
      <Button small onClick={reconnect}>
        Retry now
      </Button>
    </div>
  );
}
