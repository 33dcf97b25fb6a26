import type { VNode } from "preact";
import { hrefOf, place } from "../app/router.ts";

interface TabsProps {
  readonly label: string;
  /** By the value of the parameter `tab` in the address; the first has none. */
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly current: string;
}

/** Parts of a page. Each has an address. */
export function Tabs({ label, tabs, current }: TabsProps): VNode {
  const { path } = place.value;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, title }, at) => (
        <a
          key={id}
          href={hrefOf(at === 0 ? path : `${path}?tab=${id}`)}
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
