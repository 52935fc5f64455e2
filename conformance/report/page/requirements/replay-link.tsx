import { Icon } from "../../../../ui/components/icons.tsx";

/** A link to the moment of a finding; nothing when there is no such moment. */
export function ReplayLink({ href }: { href: string | null }) {
  if (href === null) return null;
  return (
    <a class="replay-link" href={href}>
      <Icon name="play" /> Replay
    </a>
  );
}
