/** Statements that update the descriptions, properties and clustering of an existing table to those of the flow. */
import { createHash } from "node:crypto";
import { quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";
import type { ConsumptionFlow } from "./flow.ts";
import { targetColumns } from "./target-columns.ts";

/** The table property that records what the flow has set. */
export const recordProperty = "lakehelm.flow";

/** Statements for what the flow describes. Other descriptions belong to other writers, such as a metadata change. */
export function metadataStatements(flow: ConsumptionFlow): string[] {
  const alter = `ALTER TABLE ${sqlName(flow.target)}`;
  const properties = Object.entries(flow.properties).map(
    ([key, value]) => `${sqlString(key)} = ${sqlString(value)}`,
  );
  return [
    ...(flow.description
      ? [`COMMENT ON TABLE ${sqlName(flow.target)} IS ${sqlString(flow.description)}`]
      : []),
    ...targetColumns(flow)
      .filter(({ description }) => description !== "")
      .map(
        ({ name, description }) =>
          `${alter} ALTER COLUMN ${quoteIdentifier(name)} COMMENT ${sqlString(description)}`,
      ),
    ...(properties.length > 0 ? [`${alter} SET TBLPROPERTIES (${properties.join(", ")})`] : []),
    ...(flow.clusterBy.length > 0
      ? [`${alter} CLUSTER BY (${flow.clusterBy.map(quoteIdentifier).join(", ")})`]
      : []),
  ];
}

/** What this version of the flow sets. The next version removes only what it no longer sets. */
interface MetadataRecord {
  /** A hash of all statements: another hash means another version. */
  readonly version: string;
  readonly described: readonly string[];
  readonly is_described: boolean;
  readonly is_clustered: boolean;
  readonly properties: readonly string[];
  readonly tags: readonly (readonly [column: string, tag: string])[];
}

export function metadataRecord(flow: ConsumptionFlow): MetadataRecord {
  const tags = flow.columns.flatMap(({ name, isPersonal, terms }) => [
    ...(isPersonal ? [[name.toLowerCase(), "pii"] as const] : []),
    ...(terms.length > 0 ? [[name.toLowerCase(), "glossary_terms"] as const] : []),
  ]);
  return {
    version: createHash("sha256")
      .update(JSON.stringify([metadataStatements(flow), tags]), "utf8")
      .digest("hex")
      .slice(0, 16),
    described: targetColumns(flow)
      .filter(({ description }) => description !== "")
      .map(({ name }) => name.toLowerCase()),
    is_described: flow.description !== "",
    is_clustered: flow.clusterBy.length > 0,
    properties: Object.keys(flow.properties),
    tags,
  };
}

export const setRecord = (flow: ConsumptionFlow): string =>
  `ALTER TABLE ${sqlName(flow.target)} SET TBLPROPERTIES (${sqlString(recordProperty)} = ${sqlString(JSON.stringify(metadataRecord(flow)))})`;
