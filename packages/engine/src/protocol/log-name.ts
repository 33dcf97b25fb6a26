/** The name of the replication slot and of the publication of a connector. Slots have only these characters, and up to 63. */
export const logName = (connector: string): string =>
  `lakehelm_${connector.toLowerCase().replace(/[^a-z0-9]/g, "_")}`.slice(0, 63);

/** SQL: removes what a connector that reads the log created in its source. Its connection may name both. */
export function logRemoval(
  connector: string,
  { replication_slot, publication }: Readonly<Record<string, unknown>> = {},
): string {
  const slot = typeof replication_slot === "string" ? replication_slot : logName(connector);
  const published = typeof publication === "string" ? publication : logName(connector);
  return `SELECT pg_drop_replication_slot('${slot.replaceAll("'", "''")}'); DROP PUBLICATION IF EXISTS "${published.replaceAll('"', '""')}";`;
}
