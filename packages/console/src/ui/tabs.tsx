import type { VNode } from "preact";
import { hrefOf, place } from "../app/router.ts";

interface TabsProps {
  readonly label: string;
  /** By the value of the parameter `tab` in the address; the first has none. */
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly current: string;
  /** Parameters of the address that all tabs have. */
  readonly keeps?: readonly string[];
}

/** Parts of a page. Each has an address. */
export function Tabs({ label, tabs, current, keeps = [] }: TabsProps): VNode {
  const { path, query } = place.value;
  const hrefOfTab = (id: string | undefined) => {
    const wanted = new URLSearchParams(keeps.map((name) => [name, query.get(name) ?? ""]));
    if (id !== undefined) wanted.set("tab", id);
    for (const [name, value] of [...wanted]) if (value === "") wanted.delete(name);
    return hrefOf(`${path}?${wanted}`);
  };
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, title }, at) => (
        <a
          key={id}
          href={hrefOfTab(at === 0 ? undefined : id)}
          aria-current={id === current ? "page" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The chosen tab of the address. */
export const currentTab = (tabs: TabsProps["tabs"]): string => {
  const wanted = place.value.query.get("tab");
  return tabs.find(({ id }) => id === wanted)?.id ?? tabs[0]?.id ?? "";
};
