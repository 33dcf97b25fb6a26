/** Connection configs and table settings, as every package reads them. */
export { columnNameProblem } from "./column-name.ts";
export {
  type Config,
  type ConfigValues,
  commonKeys,
  isMap,
  isTextList,
  misspelledKeys,
  readConfig,
} from "./config.ts";
export { databaseFields } from "./databases.ts";
export * as field from "./fields.ts";
export { httpFields } from "./http.ts";
export { type Paging, readPaging } from "./paging.ts";
export { restDatasetProblem, restFields } from "./rest.ts";
export { isSecretKey, secretMask } from "./secret-keys.ts";
export { readTables, type TableSettings, type WriteStrategy } from "./table-settings.ts";
