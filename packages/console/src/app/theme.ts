import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const key = "lakehelm-theme";

function stored(): Theme {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

export const theme = signal<Theme>(stored());
apply(theme.value);

export function setTheme(value: Theme): void {
  theme.value = value;
  apply(value);
  try {
    if (value === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, the browser forgets the choice when the page is closed.
  }
}

function apply(value: Theme): void {
  const { dataset } = document.documentElement;
  if (value === "system") delete dataset.theme;
  else dataset.theme = value;
}
