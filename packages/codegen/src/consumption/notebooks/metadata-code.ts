import {
  type ConsumptionFlow,
  metadataRecord,
  metadataStatements,
  recordProperty,
  setRecord,
} from "@lakehelm/flows";
import { sqlName } from "@lakehelm/sql/names";
import { pythonString, pythonValue } from "../../text/python.ts";

const describeTarget = ({ target }: ConsumptionFlow) => `DESCRIBE DETAIL ${sqlName(target)}`;

/** The statements of this cell, for the checks. */
export const metadataCellStatements = (flow: ConsumptionFlow): string[] => [
  describeTarget(flow),
  ...metadataStatements(flow),
  setRecord(flow),
];

/**
 * Applies the flow's descriptions, properties, clustering and tags to an existing table, once for each version of the
 * flow. Values that others have set are kept.
 */
export function metadataCode(flow: ConsumptionFlow): string {
  const statements = metadataStatements(flow);
  return `
# What this version of the flow sets. A table of an earlier version is altered once. The record is
# written last: after a crash the next run alters the table again, which changes nothing more.
RECORD = ${pythonValue(metadataRecord(flow))}
METADATA = [${statements.map((sql) => `\n    ${pythonString(sql)},`).join("")}${statements.length > 0 ? "\n" : ""}]


def quoted(name):
    return "\`" + name.replace("\`", "\`\`") + "\`"


def text(value):
    return value.replace("\\\\", "\\\\\\\\").replace("'", "\\\\'")


def remove_dropped(earlier):
    """Removes what an earlier version of the flow has set and this one does not."""
    columns = {field.name.lower(): field.name for field in spark.table(TARGET).schema}
    if earlier["is_described"] and not RECORD["is_described"]:
        spark.sql(f"COMMENT ON TABLE {TARGET} IS NULL")
    for name in earlier["described"]:
        if name in columns and name not in RECORD["described"]:
            spark.sql(f"ALTER TABLE {TARGET} ALTER COLUMN {quoted(columns[name])} COMMENT ''")
    for key in earlier["properties"]:
        # Features of a table cannot be taken back.
        if key not in RECORD["properties"] and not key.startswith(("delta.feature", "delta.columnMapping")):
            spark.sql(f"ALTER TABLE {TARGET} UNSET TBLPROPERTIES IF EXISTS ('{text(key)}')")
    if earlier["is_clustered"] and not RECORD["is_clustered"]:
        spark.sql(f"ALTER TABLE {TARGET} CLUSTER BY NONE")
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:  # tags exist only there
        for name, tag in earlier["tags"]:
            if name in columns and [name, tag] not in RECORD["tags"]:
                spark.sql(f"ALTER TABLE {TARGET} ALTER COLUMN {quoted(columns[name])} UNSET TAGS ('{tag}')")


properties = spark.sql(${pythonString(describeTarget(flow))}).first()["properties"]
earlier = json.loads(properties.get("${recordProperty}", "null"))
if earlier is None or earlier["version"] != RECORD["version"]:
    if not is_new:
        for statement in METADATA:
            spark.sql(statement)
        if earlier:
            remove_dropped(earlier)
    spark.sql(${pythonString(setRecord(flow))})
`.trim();
}
