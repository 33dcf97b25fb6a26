/** The forms of all kinds. They are apart from the rest of each kind, so that a browser loads only the forms. */
import { csvForms } from "./csv.form.ts";
import { duckdbForms } from "./duckdb.form.ts";
import { filesForms } from "./files.form.ts";
import type { KindForms } from "./form.ts";
import { httpForms } from "./http.form.ts";
import { jsonlForms } from "./jsonl.form.ts";
import { mysqlForms } from "./mysql.form.ts";
import { parquetForms } from "./parquet.form.ts";
import { postgresqlForms } from "./postgresql.form.ts";
import { restForms } from "./rest.form.ts";
import { sqliteForms } from "./sqlite.form.ts";

export type { ConnectionField, ConnectionForm, KindForms } from "./form.ts";

/** By the name of the kind, in the order in which users see them. */
export const forms: Readonly<Record<string, KindForms>> = {
  postgresql: postgresqlForms,
  mysql: mysqlForms,
  files: filesForms,
  http: httpForms,
  csv: csvForms,
  jsonl: jsonlForms,
  parquet: parquetForms,
  sqlite: sqliteForms,
  duckdb: duckdbForms,
  rest: restForms,
};
