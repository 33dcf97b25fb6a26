import type { ComponentChildren, VNode } from "preact";
import { useId, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

interface MenuItem {
  readonly text: string;
  readonly note?: string | undefined;
  readonly isChosen?: boolean;
  readonly isHeading?: boolean;
  readonly whyNot?: string | undefined;
  readonly onChoose?: () => void;
}

interface MenuProps {
  readonly label: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly kind?: "plain" | "quiet";
}

/** A button with a menu below it. Arrow keys move, Enter chooses, Escape closes. */
export function Menu({ label, items, kind = "quiet" }: MenuProps): VNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const entries = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
  const onToggle = (event: Pick<ToggleEvent, "newState">) => {
    if (event.newState !== "open" || !menu.current || !button.current) return;
    const { left, right, bottom } = button.current.getBoundingClientRect();
    const width = menu.current.offsetWidth;
    const { style } = menu.current;
    style.left = `${Math.max(8, left + width > innerWidth - 8 ? right - width : left)}px`;
    style.top = `${bottom + 4}px`;
    entries()[0]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button ref={button} type="button" class={`button ${kind}`} popovertarget={id} aria-haspopup="menu">
        {label}
        <Icon name="down" />
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        onToggle={onToggle}
        onKeyDown={onKeyDown}
        tabIndex={-1}
      >
        {items.map(({ text, note, isChosen, isHeading, whyNot, onChoose }) =>
          isHeading ? (
            <div key={text} class="faint" role="presentation">
              {text}
            </div>
          ) : (
            <button
              key={text}
              type="button"
              role={isChosen === undefined ? "menuitem" : "menuitemradio"}
              aria-checked={isChosen}
              aria-disabled={whyNot === undefined ? undefined : "true"}
              title={whyNot}
              onClick={() => {
                if (whyNot !== undefined) return;
                menu.current?.hidePopover();
                onChoose?.();
              }}
            >
              <span class="grow">{text}</span>
              {note && <span class="faint">{note}</span>}
              {isChosen && <Icon name="check" />}
            </button>
          ),
        )}
      </div>
    </>
  );
}
