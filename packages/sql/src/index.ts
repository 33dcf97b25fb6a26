/** Reading SQL of the Databricks dialect, for those who run it. */

export { suggestion } from "@lakehelm/contract/text";
export { fits } from "./fits.ts";
export { itemPlaces } from "./item-locations.ts";
export { tooMuch } from "./limits.ts";
export { loadSql, type Sql } from "./load.ts";
export { readMetadataStatement } from "./metadata-statement.ts";
export { parses, statementRemark } from "./parses.ts";
export { type OutputColumn, readSelect, type SourceTable } from "./read-select.ts";
export { scan } from "./scan.ts";
export type { ColumnSource } from "./select/sources.ts";
export { placesOf, sentence, unitsOf } from "./source-location.ts";
export { readSqlFile } from "./sql-file.ts";
export type { MetadataStatement } from "./statements/metadata.ts";
export { stringValue } from "./string-literal.ts";
export type { Token } from "./token.ts";
export { understood } from "./understood.ts";
