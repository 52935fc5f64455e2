import { Icon } from "../../../../daemon/dashboard/view/icons.tsx";

/** A link to the moment that shows a finding; nothing when no scene shows it. */
export function Jump({ href }: { href: string | null }) {
  if (href === null) return null;
  return (
    <a class="jump" href={href}>
      <Icon name="play" /> Watch
    </a>
  );
}
