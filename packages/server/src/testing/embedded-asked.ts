import { decodeJson } from "@lakehelm/contract/schema";
import type { Intent } from "../runtime/platforms/platform.ts";
import type { TestServer } from "./server.ts";
import { query } from "./store.ts";

type Asked = Pick<Intent, "kind" | "subject" | "data">;

/** The requests to the embedded platform in an environment, in order. */
export async function askedIn({ server }: TestServer, environmentId: string): Promise<Asked[]> {
  const rows = await query(server.store, "select * from embedded_records order by id");
  return rows
    .filter((row) => row.environment_id === environmentId)
    .map(({ kind, subject, data }) => ({
      kind: kind as Intent["kind"],
      subject: String(subject),
      data: dataOf(String(data)),
    }));
}

function dataOf(text: string): Intent["data"] {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("a record is not JSON");
  return read.value as Intent["data"];
}
