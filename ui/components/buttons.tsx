import type { ButtonHTMLAttributes } from "preact";
import { Icon, type IconName } from "./icons.tsx";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  class?: string;
  small?: boolean;
  kind?: "primary" | "stop" | undefined;
}

export const Button = (props: ButtonProps) => <StyledButton look="button" {...props} />;

interface IconButtonProps extends ButtonProps {
  icon: IconName;
  /** Its name for screen readers, and its title unless it has another. */
  label: string;
}

export const IconButton = ({ icon, label, ...props }: IconButtonProps) => (
  <StyledButton look="icon-button" aria-label={label} title={label} {...props}>
    <Icon name={icon} />
  </StyledButton>
);

function StyledButton({ look, class: further, small = false, kind, ...props }: ButtonProps & { look: string }) {
  const classes = [look, small && "button-small", kind && `button-${kind}`, further];
  return <button type="button" class={classes.filter(Boolean).join(" ")} {...props} />;
}
