import type { VNode } from "preact";
import { Menu } from "../ui/menu.tsx";
import { environmentName, setQuery } from "./router.ts";
import { session } from "./session.ts";

/** Limits all lists to one environment. The choice is part of the address. */
export function EnvironmentMenu(): VNode {
  const chosen = environmentName.value;
  const environments = session.value?.environments ?? [];
  return (
    <Menu
      label={
        <>
          <span class="faint">Environment</span> {chosen ?? "All"}
        </>
      }
      items={[
        {
          text: "All environments",
          isChosen: chosen === undefined,
          onChoose: () => setQuery({ env: undefined }),
        },
        ...environments.map(({ name, protected: isProtected, is_active: isActive }) => ({
          text: name,
          note: isActive ? (isProtected ? "protected" : undefined) : "inactive",
          isChosen: name === chosen,
          onChoose: () => setQuery({ env: name }),
        })),
      ]}
    />
  );
}
