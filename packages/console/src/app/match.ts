/** The parameters of a path that matches the pattern (`/runs/:id`); undefined if it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/").filter(Boolean);
  const found = path.split("/").filter(Boolean);
  if (wanted.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = found[at] as string;
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
    } else {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return undefined;
      }
    }
  }
  return params;
}
