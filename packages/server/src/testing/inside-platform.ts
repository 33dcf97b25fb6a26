import { encodeJson } from "@lakehelm/contract/schema";
import type { Platform } from "../runtime/platforms/platform.ts";

/** A platform with transactional effects: every request is recorded and done within the requesting transaction. */
export function insidePlatform(name: string): Platform {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return {
    name,
    capabilities: { connectorTargets: [] },
    within({ id, environmentId, kind, subject, data }) {
      const values = [id, environmentId, kind, subject, encodeJson(data)].map(quoted).join(", ");
      const sql = `insert into embedded_records (id, environment_id, kind, subject, data) values (${values})`;
      return { steps: [{ sql, parameters: [] }], outcome: { done: true, reference: null } };
    },
    perform: async ({ kind }) => ({ done: false, reason: `${kind} is done within the change.` }),
  };
}
