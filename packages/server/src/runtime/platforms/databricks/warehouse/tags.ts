import type { WorkspaceClient } from "../client/client.ts";
import { segment } from "../client/path.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";

interface TagAssignment {
  readonly tag_key?: string;
  readonly tag_value?: string;
}

/** The tags of a table or a column; none for one that cannot have them. */
export async function tagsOf(
  client: WorkspaceClient,
  kind: "tables" | "columns",
  name: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const path = `/api/2.1/unity-catalog/entity-tag-assignments/${kind}/${segment(name)}/tags`;
  try {
    const list = client.list<TagAssignment>(path, "tag_assignments", {}, { signal });
    const entries = (await Array.fromAsync(list)).map(
      ({ tag_key = "", tag_value = "" }) => [tag_key, tag_value] as const,
    );
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch (error) {
    if (isWorkspaceError(error, "gone")) return {};
    throw error;
  }
}
