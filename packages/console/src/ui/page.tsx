import type { ComponentChildren, VNode } from "preact";
import { hrefOf } from "../app/router.ts";

interface PageLayoutProps {
  readonly title: ComponentChildren;
  /** The titles and paths of the parent pages. */
  readonly above?: readonly { readonly title: string; readonly path: string }[];
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** The page is a list that scrolls by itself. */
  readonly isFull?: boolean;
}

/** The frame of every page, with the path to it, its title and its actions. */
export function PageLayout({ title, above = [], actions, children, isFull }: PageLayoutProps): VNode {
  return (
    <main class={isFull ? "page full" : "page"} id="content" tabIndex={-1}>
      <div class="page-head">
        <div class="titles">
          {above.length > 0 && (
            <nav class="crumbs" aria-label="Above">
              {above.map((crumb) => (
                <span key={crumb.path}>
                  <a class="plain" href={hrefOf(crumb.path)}>
                    {crumb.title}
                  </a>{" "}
                  /
                </span>
              ))}
            </nav>
          )}
          <h1>{title}</h1>
        </div>
        {actions && <div class="row wrap">{actions}</div>}
      </div>
      {children}
    </main>
  );
}

/** Shown while a page's data is loading. */
export function Loading({ what }: { what: string }): VNode {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}
