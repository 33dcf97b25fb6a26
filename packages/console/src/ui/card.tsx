import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  readonly title: string;
  /** Links and buttons beside the title. */
  readonly actions?: ComponentChildren;
  /** The content, such as a table, gets no padding. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

/** A titled part of a page. */
export function Card({ title, actions, isFlush, children }: CardProps): VNode {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id} class="grow">
          {title}
        </h2>
        {actions}
      </header>
      {isFlush ? children : <div class="body">{children}</div>}
    </section>
  );
}
