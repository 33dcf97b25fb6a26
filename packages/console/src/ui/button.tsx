import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: "plain" | "primary" | "danger" | "quiet";
  readonly type?: "button" | "submit";
  readonly onClick?: (event: MouseEvent) => void;
  /** Why the button is disabled, such as a missing role. Shown on hover and read by screen readers. */
  readonly whyNot?: string | undefined;
  readonly isBusy?: boolean;
  readonly label?: string;
  /** For a button that stays pressed. */
  readonly isPressed?: boolean | undefined;
}

/** A disabled button keeps the focus and says why it is disabled. */
export function Button({
  children,
  kind = "plain",
  type = "button",
  onClick,
  whyNot,
  isBusy,
  label,
  isPressed,
}: ButtonProps): VNode {
  const id = useId();
  const isOff = whyNot !== undefined || isBusy === true;
  return (
    <>
      <button
        type={type}
        class={`button ${kind}`}
        aria-disabled={isOff ? "true" : undefined}
        aria-busy={isBusy ? "true" : undefined}
        aria-describedby={whyNot === undefined ? undefined : id}
        aria-label={label}
        aria-pressed={isPressed}
        title={whyNot}
        onClick={(event) => {
          if (isOff) return event.preventDefault();
          onClick?.(event);
        }}
      >
        {children}
      </button>
      {whyNot !== undefined && (
        <span id={id} class="visually-hidden">
          {whyNot}
        </span>
      )}
    </>
  );
}
