import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface ModalProps {
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  readonly class?: string;
  readonly label?: string;
  readonly labelledBy?: string;
}

/** The browser's own dialog element: it keeps the focus inside, and Escape closes it. */
export function Modal({ children, onClose, class: name, label, labelledBy }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is on the backdrop.
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      aria-labelledby={labelledBy}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  );
}

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Buttons at the bottom. */
  readonly footer?: ComponentChildren;
}

export function Dialog({ title, children, onClose, footer }: DialogProps): VNode {
  const id = useId();
  return (
    <Modal onClose={onClose} labelledBy={id}>
      <div class="content">
        <h2 id={id}>{title}</h2>
        {children}
        {footer && <footer>{footer}</footer>}
      </div>
    </Modal>
  );
}
