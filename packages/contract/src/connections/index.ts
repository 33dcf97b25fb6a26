/** Settings of connections and of the tables they carry, as every package reads them. */
export { columnNameProblem } from "./column-name.ts";
export { type Config, ConfigReader, commonKeys, isListOfText, isMap } from "./config-reader.ts";
export { type Paging, readPaging } from "./paging.ts";
export { isSecretKey } from "./secret-keys.ts";
export { readTables, type TableSettings, type WriteStrategy } from "./table-settings.ts";
