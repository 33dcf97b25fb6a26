/** The name of the replication slot and of the publication of a connector. Slots have only these characters, and up to 63. */
export const logName = (connector: string): string =>
  `lakehelm_${connector.toLowerCase().replace(/[^a-z0-9]/g, "_")}`.slice(0, 63);

/** SQL: removes what a connector that reads the log created in its source. */
export const logRemoval = (connector: string): string =>
  `SELECT pg_drop_replication_slot('${logName(connector)}'); DROP PUBLICATION IF EXISTS ${logName(connector)};`;
