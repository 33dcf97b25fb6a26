import type { DatabaseRow } from "../../core/store/database.ts";
import { isRecord, scopeOfCaller, scopeOfEnvironment } from "../../core/store/stored-scopes.ts";
import { resourceTables, type StoredKind } from "../../core/store/tables.ts";

type Rows = Readonly<Record<string, readonly DatabaseRow[]>>;
type Usage = Readonly<Record<string, readonly [number, number]>>;

const text = (value: unknown) => (value === null ? null : String(value));
const bytesOf = (...values: unknown[]) =>
  values.reduce<number>((sum, value) => sum + Buffer.byteLength(text(value) ?? ""), 0);

/** The counted usage, by scope and kind, without rows that count nothing. */
export const countedUsage = (rows: Rows): Usage =>
  sorted(
    (rows.stored_usage ?? []).map(({ scope, kind, n, bytes }) => [
      `${scope} ${kind}`,
      [Number(n), Number(bytes)],
    ]),
  );

/** The usage as it should be: counted from the stored rows. */
export function storedRows(rows: Rows): Usage {
  const usage = new Map<string, [number, number]>();
  const add = (scope: string, kind: string, n: number, bytes: number) => {
    const row = usage.getOrInsertComputed(`${scope} ${kind}`, () => [0, 0]);
    row[0] += n;
    row[1] += bytes;
  };
  const count = (kind: StoredKind, owner: unknown, identity: unknown, n: number, bytes: number) => {
    const scope = scopeOfEnvironment(kind, text(owner));
    add(scope, kind, n, bytes);
    add(scope, "", n, bytes);
    if (typeof identity === "string") add(scopeOfCaller(identity), "", isRecord(kind) ? 0 : n, bytes);
  };
  for (const table of resourceTables)
    for (const row of rows[table] ?? [])
      count(table, row.environment_id, row.charged_to, 1, bytesOf(row.doc, row.sealed));
  const below = (
    table: string,
    parent: "deployments" | "plans",
    key: string,
    size: (row: DatabaseRow) => number,
  ) => {
    for (const row of rows[table] ?? []) {
      const owner = rows[parent]?.find(({ id }) => id === row[key]);
      count(parent, owner?.environment_id ?? null, owner?.charged_to, 0, size(row));
    }
  };
  below("deployment_log", "deployments", "deployment_id", ({ n, chunk }) =>
    Number(n) > 0 ? bytesOf(chunk) : 0,
  );
  below("plan_steps", "plans", "plan_id", ({ doc, definition }) => bytesOf(doc, definition));
  below("plan_checks", "plans", "plan_id", ({ policies }) => bytesOf(policies));
  for (const { charged_to: identity, bytes } of rows.file_owners ?? [])
    if (typeof identity === "string") add(scopeOfCaller(identity), "files", 1, Number(bytes));
  for (const row of rows.secrets ?? []) count("secrets", row.environment_id, null, 1, bytesOf(row.value));
  for (const row of rows.role_grants ?? []) count("roles", row.environment_id, null, 1, 0);
  for (const _ of rows.secret_scopes ?? []) count("secret_scopes", null, null, 1, 0);
  for (const row of rows.secret_bindings ?? []) count("secret_scopes", row.environment_id, null, 1, 0);
  for (const row of rows.applied_resources ?? [])
    count("plans", row.environment_id, null, 0, bytesOf(row.definition));
  for (const row of rows.release_designs ?? [])
    count("releases", row.environment_id, null, 0, bytesOf(row.definition, row.sealed));
  return sorted([...usage]);
}

const sorted = (entries: readonly (readonly [string, readonly [number, number]])[]): Usage =>
  Object.fromEntries(
    entries
      .filter(([, [n, bytes]]) => n !== 0 || bytes !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
