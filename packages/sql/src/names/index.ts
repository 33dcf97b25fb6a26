/** Names and literals in SQL, slugs and titles. It loads no parser, so a server can import it at startup. */

export { quoteIdentifier, sqlString, unicodeEscape } from "./literals.ts";
export { fileSlug, tableSlug } from "./slug.ts";
export {
  type NameDefaults,
  namePartProblem,
  plainName,
  readTableName,
  schemaName,
  siblingTable,
  sqlName,
  type TableName,
} from "./table-name.ts";
export { titleProblem } from "./title.ts";
