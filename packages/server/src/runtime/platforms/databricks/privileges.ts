/** The privileges of one principal on a schema, with those that it inherits from the catalog. */
export interface PrivilegeList {
  readonly privilege_assignments?: readonly {
    readonly privileges?: readonly { readonly privilege?: string }[];
  }[];
}

const needed = ["USE_CATALOG", "USE_SCHEMA", "SELECT", "MODIFY", "CREATE_TABLE"];

/** What Lakehelm needs and the list lacks: `USE SCHEMA`. Privileges of groups are not in the list. */
export function missingPrivileges({ privilege_assignments = [] }: PrivilegeList): string[] {
  const granted = new Set(
    privilege_assignments.flatMap(({ privileges = [] }) => privileges.map(({ privilege = "" }) => privilege)),
  );
  if (granted.has("ALL_PRIVILEGES")) return [];
  return needed
    .filter((privilege) => !granted.has(privilege))
    .map((privilege) => privilege.replaceAll("_", " "));
}
