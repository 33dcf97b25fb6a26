import type { VNode } from "preact";
import { Menu } from "../ui/menu.tsx";
import { session, signOut } from "./session.ts";
import { setTheme, theme } from "./theme.ts";

export function AccountMenu(): VNode {
  const { name = "", role = "none" } = session.value ?? {};
  return (
    <Menu
      label={name}
      items={[
        { text: `Role: ${role === "none" ? "by environment" : role}`, isHeading: true },
        {
          text: "Theme: as the system",
          isChosen: theme.value === "system",
          onChoose: () => setTheme("system"),
        },
        { text: "Theme: light", isChosen: theme.value === "light", onChoose: () => setTheme("light") },
        { text: "Theme: dark", isChosen: theme.value === "dark", onChoose: () => setTheme("dark") },
        { text: "Sign out", onChoose: signOut },
      ]}
    />
  );
}
