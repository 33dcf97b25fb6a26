import { hash } from "node:crypto";
import { planKinds } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";

/** What a document says about tables and other resources, with names as the document has them. */
export interface DeclaredLineage {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Tables whose changes start a run of the resource. */
  readonly waits: readonly string[];
  /** Resources that the document uses, by kind and name. */
  readonly uses: readonly (readonly [kind: string, name: string])[];
  /** Catalog and schema of the written tables, if they are not those of the environment. */
  readonly catalog?: string;
  readonly schema?: string;
  /** Unmatched rows go to a table of their own. */
  readonly hasUnmatched?: true;
  /** The document has more names than are kept. */
  readonly isCut?: true;
  /** A digest of code that contains more lineage; absent if there is no such code. */
  readonly code?: string;
}

type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The most names that are kept of one resource: readers do work for each name, and there are many resources. */
const mostNames = 10_000;
const texts = (values: readonly unknown[]) => [
  ...new Set(values.filter((value): value is string => typeof value === "string")),
];
const nothing = { reads: [], writes: [], waits: [], uses: [] };

export function connectorLineage({
  target_type,
  target_config,
  datasets,
  table_update_config,
}: Fields): DeclaredLineage {
  const isImport = target_type === "warehouse";
  const names = texts(
    listOf(datasets)
      .map(fieldsOf)
      .map(({ source_dataset, target_name }) => (isImport ? target_name : source_dataset)),
  );
  const kept = names.slice(0, mostNames);
  const { catalog, schema } = isImport ? fieldsOf(target_config) : {};
  return {
    ...nothing,
    ...(isImport ? { writes: kept } : { reads: kept }),
    waits: texts(listOf(fieldsOf(table_update_config).table_names)).slice(0, mostNames),
    ...(typeof catalog === "string" && { catalog }),
    ...(typeof schema === "string" && { schema }),
    ...(names.length > mostNames && { isCut: true }),
  };
}

const selects = ["matched_sql", "unmatched_sql", "recheck_sql"] as const;

export function flowLineage(definition: Fields): DeclaredLineage {
  const { target_name, source_tables, unmatched_sql, trigger_type } = definition;
  if (typeof target_name !== "string") return nothing;
  const reads = texts(listOf(source_tables));
  const kept = reads.slice(0, mostNames);
  return {
    ...nothing,
    reads: kept,
    writes: [target_name],
    waits: trigger_type === "table_update" ? kept : [],
    ...(typeof unmatched_sql === "string" && { hasUnmatched: true }),
    ...(reads.length > mostNames && { isCut: true }),
    code: digestOf([target_name, ...selects.map((field) => definition[field])]),
  };
}

export const appLineage = ({ agent, agent_id = agent }: Fields): DeclaredLineage => ({
  ...nothing,
  uses: texts([agent_id]).map((id) => ["agent", id]),
});

/** The lineage of an automation's definition. */
export function designLineage({ tasks, trigger, parameters }: Fields): DeclaredLineage {
  const read = listOf(tasks).map(fieldsOf);
  const uses = read.flatMap(({ kind, reference }): [string, string][] =>
    planKinds.some((one) => one === kind) && typeof reference === "string" ? [[String(kind), reference]] : [],
  );
  const sql = read.filter(({ kind }) => kind === "sql");
  return {
    ...nothing,
    waits: texts(listOf(fieldsOf(fieldsOf(trigger).table_update).table_names)).slice(0, mostNames),
    uses: uses.slice(0, mostNames),
    ...(uses.length > mostNames && { isCut: true }),
    ...(sql.length > 0 && { code: digestOf([parameters, sql]) }),
  };
}

const digestOf = (code: unknown): string => hash("sha256", encodeJson(code), "base64url");
