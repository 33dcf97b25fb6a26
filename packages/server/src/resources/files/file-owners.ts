import { sql } from "kysely";
import type { Step, Store } from "../../core/store/store.ts";
import { uncounted } from "../../core/store/stored-usage.ts";
import type { Tables } from "../../core/store/tables.ts";

/** Records to whom each file is charged. Steps belong to the transaction that commits the change of the file. */
export interface FileOwners {
  written(environmentId: string, path: string, bytes: number): Promise<Step>;
  removed(environmentId: string, path: string): Promise<Step[]>;
  /** For the deletion of an environment: no file of it counts any more. */
  removalIn(environmentId: string): Step[];
}

type Row = Tables["file_owners"];

export function createFileOwners(store: Store): FileOwners {
  const find = store.prepare((db, v: Pick<Row, "environment_id" | "path">) =>
    db
      .selectFrom("file_owners")
      .select(["bytes", "charged_to"])
      .where("environment_id", "=", v.environment_id)
      .where("path", "=", v.path),
  );
  const put = store.prepare((db, v: Row) =>
    db
      .insertInto("file_owners")
      .values({ environment_id: v.environment_id, path: v.path, bytes: v.bytes, charged_to: v.charged_to })
      .onConflict((oc) =>
        oc.columns(["environment_id", "path"]).doUpdateSet({ bytes: v.bytes, charged_to: v.charged_to }),
      ),
  );
  const remove = store.prepare((db, v: Pick<Row, "environment_id" | "path">) =>
    db.deleteFrom("file_owners").where("environment_id", "=", v.environment_id).where("path", "=", v.path),
  );
  const removeAll = store.prepare((db, v: Pick<Row, "environment_id">) =>
    db.deleteFrom("file_owners").where("environment_id", "=", v.environment_id),
  );
  const uncountAll = uncounted(store, "files", (_, v: Pick<Row, "environment_id">) => {
    const ofScope = sql`from file_owners where environment_id = ${v.environment_id} and 'caller/' || charged_to = stored_usage.scope`;
    return {
      n: sql<number>`(select count(*) ${ofScope})`,
      bytes: sql<number>`(select cast(coalesce(sum(file_owners.bytes), 0) as bigint) ${ofScope})`,
      scopes: sql<string>`select 'caller/' || charged_to from file_owners
        where environment_id = ${v.environment_id} and charged_to is not null`,
    };
  });

  async function found(environmentId: string, path: string) {
    const row = await store.one(find({ environment_id: environmentId, path }));
    // PostgreSQL sends large integers as text.
    return row && { bytes: Number(row.bytes), chargedTo: row.charged_to };
  }

  return {
    async written(environmentId, path, bytes) {
      const before = await found(environmentId, path);
      const writtenFor = (charged_to: string | null) =>
        put({ environment_id: environmentId, path, bytes, charged_to });
      return {
        ...writtenFor(before?.chargedTo ?? null),
        chargedTo: writtenFor,
        stored: {
          ...{ kind: "files", environmentId },
          n: before ? 0 : 1,
          bytes: bytes - (before?.bytes ?? 0),
          ...(before && { bytesBefore: before.bytes, chargedTo: before.chargedTo }),
        },
      };
    },
    async removed(environmentId, path) {
      const before = await found(environmentId, path);
      if (!before) return [];
      const { bytes, chargedTo } = before;
      return [
        {
          ...remove({ environment_id: environmentId, path }),
          stored: { kind: "files", environmentId, chargedTo, n: -1, bytes: -bytes },
        },
      ];
    },
    removalIn: (environmentId) => [
      uncountAll({ environment_id: environmentId }),
      removeAll({ environment_id: environmentId }),
    ],
  };
}
