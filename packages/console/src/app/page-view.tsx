import type { VNode } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorBox } from "../ui/error-box.tsx";
import { matchPath } from "./match.ts";
import type { PageComponent } from "./page-props.ts";
import { type Page, pages } from "./pages.ts";
import { hrefOf, place } from "./router.ts";

const loaded = new Map<Page, PageComponent>();

/** The page at the address, once its script is loaded. */
export function PageView(): VNode {
  const { path } = place.value;
  for (const page of pages) {
    const params = matchPath(page.path, path);
    // With this key, the page of another resource starts from its initial state.
    if (params)
      return <LoadedPage key={`${page.path} ${JSON.stringify(params)}`} page={page} params={params} />;
  }
  return (
    <main class="page" id="content">
      <EmptyState title="There is no such page" action={<a href={hrefOf("/")}>Go to the home page</a>}>
        The address may be incomplete, or from another version of Lakehelm.
      </EmptyState>
    </main>
  );
}

function LoadedPage({ page, params }: { page: Page; params: Readonly<Record<string, string>> }): VNode {
  const [problem, setProblem] = useState<Error | undefined>();
  const [, setCount] = useState(0);
  const [thrown] = useErrorBoundary();
  const Component = loaded.get(page);
  useEffect(() => {
    document.title = `${page.title} · Lakehelm`;
    if (loaded.has(page)) return;
    page.load().then(
      (module) => {
        loaded.set(page, module.default);
        setCount((count) => count + 1);
      },
      () =>
        setProblem(new Error("The page could not be loaded. If the server was updated, reload the page.")),
    );
  }, [page]);
  const error = problem ?? (thrown instanceof Error ? thrown : undefined);
  if (error) {
    return (
      <main class="page" id="content">
        <ErrorBox error={error} />
      </main>
    );
  }
  if (!Component) return <main class="page loading" id="content" aria-busy="true" />;
  return <Component params={params} />;
}
