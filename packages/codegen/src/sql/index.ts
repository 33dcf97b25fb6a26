/** Reading SQL of the Databricks dialect, for those who run it. */
export { readSqlFile } from "../evidence/sql-file.ts";
export { itemPlaces } from "./item-places.ts";
export { tooMuch } from "./limits.ts";
export { loadSql, type Sql } from "./load.ts";
export { readMetadataStatement } from "./metadata-statement.ts";
export { suggestion } from "./nearest.ts";
export { statementRemark } from "./parses.ts";
export { scan } from "./scan.ts";
export { stringValue } from "./string-literal.ts";
export { placesOf, unitsOf } from "./text-place.ts";
export type { Token } from "./token.ts";
export { understood } from "./understood.ts";
