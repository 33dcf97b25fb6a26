import type { VNode } from "preact";
import { hrefOf, place } from "../app/router.ts";

interface TabsProps {
  readonly label: string;
  /** `id` is the value of the parameter `tab` in the address. The first tab has no parameter. */
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly current: string;
  /** Parameters of the address that the links of all tabs keep. */
  readonly keeps?: readonly string[];
}

/** Parts of a page, each with its own address. */
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

/** The current tab, from the address. */
export const currentTab = (tabs: TabsProps["tabs"]): string => {
  const wanted = place.value.query.get("tab");
  return tabs.find(({ id }) => id === wanted)?.id ?? tabs[0]?.id ?? "";
};
