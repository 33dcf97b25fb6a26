import { WorkspaceError } from "./workspace-error.ts";

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** One segment of a path, encoded: `/api/2.0/apps/${segment(name)}`. `.` and `..` would lead elsewhere. */
export function segment(name: string): string {
  if (name === "" || name === "." || name === "..") {
    throw new WorkspaceError("refused", `${JSON.stringify(name)} cannot be a name in the workspace.`);
  }
  return encodeURIComponent(name);
}

/** A path in a volume, such as `/Volumes/shop/sales/files/a b.csv`, encoded. */
export const volumePath = (path: string): string => `/${path.split("/").slice(1).map(segment).join("/")}`;

/** The path with its query; undefined values are left out. */
export function pathWith(path: string, query: QueryValues): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
