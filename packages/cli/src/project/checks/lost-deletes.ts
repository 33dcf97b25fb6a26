import { lostDeletes } from "@lakehelm/contract";
import { plainName, readTableName } from "@lakehelm/sql/names";
import type { Problems } from "../problems.ts";
import { placeOf } from "../read/tree.ts";
import type { ResolvedResource } from "../resolve/resolver.ts";
import type { Target } from "../resolve/target.ts";

/**
 * Reports exports that delete rows which a table has lost, although the flow that publishes the table never deletes.
 */
export function checkLostDeletes(
  resources: readonly ResolvedResource[],
  target: Target,
  problems: Problems,
): void {
  const fullName = (text: string) => {
    const name = readTableName(text, target, "");
    return "problem" in name ? text : plainName(name).toLowerCase();
  };
  const declared = resources.map(({ kind, name, definition }) => ({ kind: kind.kind, name, definition }));
  for (const { connector, at, message } of lostDeletes(declared, fullName)) {
    const resource = resources.find(({ kind, name }) => kind.kind === "connector" && name === connector);
    if (resource) problems.warning(placeOf(resource.tree, ["datasets", at]), message);
  }
}
