import { computed, signal } from "@preact/signals";

const base = "/console";

/** The address of the view, below `/console`. */
interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const read = (): Place => ({
  path: location.pathname.slice(base.length) || "/",
  query: new URLSearchParams(location.search),
});

const current = signal<Place>(read());
addEventListener("popstate", () => {
  current.value = read();
});

export const place = computed(() => current.value);
/** The name of the environment that lists are limited to; undefined: all environments. It is part of every address. */
export const environmentName = computed(() => current.value.query.get("env") ?? undefined);

/** The address of a view in the current environment. */
export function hrefOf(path: string): string {
  const [name = "/", search = ""] = path.split("?");
  const query = new URLSearchParams(search);
  const environment = environmentName.value;
  if (environment !== undefined && !query.has("env")) query.set("env", environment);
  const text = query.toString();
  return base + name + (text && `?${text}`);
}

/** Shows another view. */
export function navigate(path: string): void {
  history.pushState(null, "", hrefOf(path));
  current.value = read();
  document.querySelector(".page")?.scrollTo(0, 0);
}

/** Changes parameters of the address. Undefined or an empty string removes a parameter. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text && `?${text}`));
  current.value = read();
}

/**
 * Follows a link inside the console. Other clicks, such as on links to new tabs or other hosts, are left to the
 * browser.
 */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.target || link.origin !== location.origin || !link.pathname.startsWith(`${base}/`))
    return;
  if (link.hasAttribute("download")) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  current.value = read();
  document.querySelector(".page")?.scrollTo(0, 0);
}
