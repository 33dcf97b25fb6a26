import type { ComponentChildren, VNode } from "preact";

interface EmptyStateProps {
  readonly title: string;
  /** What to do next. */
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

export function EmptyState({ title, children, action }: EmptyStateProps): VNode {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
