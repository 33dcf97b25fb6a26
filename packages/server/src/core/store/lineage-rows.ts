import { setImmediate } from "node:timers/promises";
import type { PlanKind } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Database } from "./database.ts";
import {
  appLineage,
  connectorLineage,
  type DeclaredLineage,
  designLineage,
  fieldsOf,
  flowLineage,
} from "./declared-lineage.ts";
import type { Step, Store } from "./store.ts";
import type { ResourceTableName, Tables } from "./tables.ts";

/** A resource of an environment with what its document says about tables. */
interface ResourceLineage {
  readonly name: string;
  /** The job that runs the resource; null: none. */
  readonly job: string | null;
  readonly declared: DeclaredLineage;
}

/** What the code of a resource reads and writes. `key` says of which code, and where. */
export interface CodeLineage {
  readonly key: string;
  readonly paths: readonly { readonly table: string | null; readonly reads: readonly string[] }[];
  readonly isComplete: boolean;
  /** The paths are those of the code's last good version: it cannot be read any more. */
  readonly isFormer?: true;
}

/** Identifies the lineage of a resource. */
export interface LineageKey {
  readonly kind: string;
  readonly id: string;
  readonly environmentId: string;
}

export interface LineageRow extends ResourceLineage {
  readonly kind: PlanKind;
  readonly id: string;
  /** What was last read of the resource's code, and where that is stored. */
  readonly code: CodeLineage | undefined;
  readonly codeAt: LineageKey;
}

export interface LineageRows {
  /** The rows of an environment, ordered by kind and id. Yields to other requests in between. */
  inEnvironment(environmentId: string): AsyncIterableIterator<LineageRow>;
  /** What was last read of the code of a resource; undefined: nothing yet. */
  code(resource: LineageKey): Promise<CodeLineage | undefined>;
  setCode(resource: LineageKey, code: CodeLineage): Step;
  /**
   * Stores what the definition that a release of an automation runs says: its tasks are not part of the release's
   * document.
   */
  putDesign(design: DesignKey, definition: unknown): Step;
  removeDesign(design: DesignKey): Step;
  /** The environments and automations that have a design. */
  designs(): Promise<DesignKey[]>;
}

export interface DesignKey {
  readonly automationId: string;
  readonly environmentId: string;
}

type Fields = Readonly<Record<string, unknown>>;
const none: DeclaredLineage = { reads: [], writes: [], waits: [], uses: [] };
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const jobOf = (value: unknown) => (typeof value === "string" ? value : null);

interface LineageSource {
  readonly kind: string;
  /** The fields of the document that `of` needs. Most changes touch none of them. */
  readonly fields: readonly string[];
  of(doc: Fields, owner: string | null): ResourceLineage & { readonly automation?: string };
}

/** The resources that read or write tables, by their tables in the database. */
const sources: Partial<Record<ResourceTableName, LineageSource>> = {
  connectors: {
    kind: "connector",
    fields: ["name", "workflow_id", "target_type", "target_config", "datasets", "table_update_config"],
    of: (doc) => ({
      ...{ name: textOf(doc.name), job: jobOf(doc.workflow_id) },
      declared: connectorLineage(doc),
    }),
  },
  flows: {
    kind: "flow",
    fields: ["name", "workflow_id", "definition"],
    of: (doc) => ({
      ...{ name: textOf(doc.name), job: jobOf(doc.workflow_id) },
      declared: flowLineage(fieldsOf(doc.definition)),
    }),
  },
  // The tables of a pipeline are in its code.
  pipelines: {
    kind: "pipeline",
    fields: ["name", "platform_reference"],
    of: (doc) => ({ name: textOf(doc.name), job: jobOf(doc.platform_reference), declared: none }),
  },
  apps: {
    kind: "app",
    fields: ["name", "agent", "agent_id"],
    of: (doc) => ({ name: textOf(doc.name), job: null, declared: appLineage(doc) }),
  },
  releases: {
    kind: "automation",
    fields: ["artifact", "workflow_id"],
    of: (doc, owner) => ({
      name: textOf(doc.artifact).replace("automation/", ""),
      job: jobOf(doc.workflow_id),
      declared: none,
      ...(owner !== null && { automation: owner }),
    }),
  },
};
const designKind = "design";

function declaredOf({ fields, of }: LineageSource, doc: unknown, owner: string | null): string {
  const known = fieldsOf(doc);
  return encodeJson(of(Object.fromEntries(fields.map((name) => [name, known[name]])), owner));
}

interface StoredDocument {
  readonly id: string;
  readonly environmentId: string | null;
  readonly owner: string | null;
  readonly doc: unknown;
}

/** Steps that keep the lineage of a table's documents, for the changes that write the documents. */
export function lineageSteps(store: Store, table: ResourceTableName) {
  const source = sources[table];
  const { put, remove } = statements(store);
  const putting = ({ id, environmentId, owner, doc }: StoredDocument) =>
    source && environmentId !== null
      ? [
          put({
            ...{ kind: source.kind, resource_id: id, environment_id: environmentId },
            declared: declaredOf(source, doc, owner),
          }),
        ]
      : [];
  return {
    put: putting,
    change(before: StoredDocument, after: StoredDocument): Step[] {
      const [had, has] = [fieldsOf(before.doc), fieldsOf(after.doc)];
      if (!source || source.fields.every((name) => had[name] === has[name])) return [];
      const isSame =
        declaredOf(source, before.doc, before.owner) === declaredOf(source, after.doc, after.owner);
      return isSame ? [] : putting(after);
    },
    remove: ({ id, environmentId }: StoredDocument): Step[] =>
      source && environmentId !== null
        ? [remove({ kind: source.kind, resource_id: id, environment_id: environmentId })]
        : [],
  };
}

type KeyRow = Pick<Tables["lineage"], "environment_id" | "kind" | "resource_id">;

const statements = (store: Store) => ({
  // What is known of the old code stays until the new code is read: its key shows that it belongs to other code.
  put: store.prepare((db, v: Omit<Tables["lineage"], "code">) =>
    db
      .insertInto("lineage")
      .values({
        environment_id: v.environment_id,
        kind: v.kind,
        resource_id: v.resource_id,
        declared: v.declared,
        code: null,
      })
      .onConflict((oc) =>
        oc.columns(["environment_id", "kind", "resource_id"]).doUpdateSet({ declared: v.declared }),
      ),
  ),
  remove: store.prepare((db, v: KeyRow) =>
    db
      .deleteFrom("lineage")
      .where("environment_id", "=", v.environment_id)
      .where("kind", "=", v.kind)
      .where("resource_id", "=", v.resource_id),
  ),
});

/** Characters that are read and parsed at once: about 5 ms. */
const stretch = 512 * 1024;
const rowsAtOnce = 250;

export function createLineageRows(store: Store): LineageRows {
  const { put, remove } = statements(store);
  const keyRow = ({ kind, id, environmentId }: LineageKey): KeyRow => ({
    ...{ kind, resource_id: id, environment_id: environmentId },
  });
  const designKey = ({ automationId, environmentId }: DesignKey) =>
    keyRow({ kind: designKind, id: automationId, environmentId });
  const codeOf = store.prepare((db, v: KeyRow) =>
    db
      .selectFrom("lineage")
      .select("code")
      .where("environment_id", "=", v.environment_id)
      .where("kind", "=", v.kind)
      .where("resource_id", "=", v.resource_id),
  );
  const setCode = store.prepare((db, v: KeyRow & { code: string }) =>
    db
      .updateTable("lineage")
      .set({ code: v.code })
      .where("environment_id", "=", v.environment_id)
      .where("kind", "=", v.kind)
      .where("resource_id", "=", v.resource_id),
  );
  const ofKind = store.prepare((db, v: { kind: string }) =>
    db.selectFrom("lineage").select(["environment_id", "resource_id"]).where("kind", "=", v.kind),
  );
  type After = KeyRow & { limit: number };
  const sizes = store.prepare((db, v: After) =>
    db
      .selectFrom("lineage")
      .select((eb) => [
        eb.fn<number>("octet_length", ["declared"]).as("length"),
        eb.fn<number | null>("octet_length", ["code"]).as("more"),
      ])
      .where("environment_id", "=", v.environment_id)
      .where((eb) => eb(eb.refTuple("kind", "resource_id"), ">", eb.tuple(v.kind, v.resource_id)))
      .orderBy("kind")
      .orderBy("resource_id")
      .limit(v.limit),
  );
  const rows = store.prepare((db, v: After) =>
    db
      .selectFrom("lineage")
      .select(["kind", "resource_id", "declared", "code"])
      .where("environment_id", "=", v.environment_id)
      .where((eb) => eb(eb.refTuple("kind", "resource_id"), ">", eb.tuple(v.kind, v.resource_id)))
      .orderBy("kind")
      .orderBy("resource_id")
      .limit(v.limit),
  );

  async function* all(environmentId: string) {
    for (let after = { environment_id: environmentId, kind: "", resource_id: "" }; ; ) {
      const lengths = await store.all(sizes({ ...after, limit: rowsAtOnce }));
      const found = await store.all(rows({ ...after, limit: fitting(lengths) }));
      yield* found;
      const last = found.at(-1);
      if (!last) return;
      after = { environment_id: environmentId, kind: last.kind, resource_id: last.resource_id };
      await setImmediate();
    }
  }

  return {
    async *inEnvironment(environmentId) {
      /** Rows are ordered by kind, so automations come before their designs. */
      const automations = new Map<string, LineageRow>();
      for await (const row of all(environmentId)) {
        const { automation, ...declared } = JSON.parse(row.declared) as ResourceLineage & {
          readonly automation?: string;
        };
        const code = row.code === null ? undefined : (JSON.parse(row.code) as CodeLineage);
        const codeAt = { kind: row.kind, id: row.resource_id, environmentId };
        const read = { ...declared, kind: row.kind as PlanKind, id: row.resource_id, code, codeAt };
        if (row.kind === designKind) {
          const release = automations.get(row.resource_id);
          if (release) yield { ...release, declared: read.declared, code, codeAt };
          automations.delete(row.resource_id);
        } else if (automation === undefined) yield read;
        else automations.set(automation, read);
      }
      yield* automations.values();
    },
    async code(resource) {
      const row = await store.one(codeOf(keyRow(resource)));
      return row?.code ? (JSON.parse(row.code) as CodeLineage) : undefined;
    },
    setCode: (resource, code) => setCode({ ...keyRow(resource), code: encodeJson(code) }),
    putDesign: (design, definition) =>
      put({
        ...designKey(design),
        declared: encodeJson({ declared: designLineage(fieldsOf(definition)) }),
      }),
    removeDesign: (design) => remove(designKey(design)),
    async designs() {
      const found = await store.all(ofKind({ kind: designKind }));
      return found.map(({ environment_id, resource_id }) => ({
        automationId: resource_id,
        environmentId: environment_id,
      }));
    },
  };
}

/** Adds the rows that resources of an earlier version lack. Usually none is missing. */
export async function fillLineage(engine: Database): Promise<void> {
  const slots = engine.name === "sqlite" ? ["?", "?", "?", "?"] : ["$1", "$2", "$3", "$4"];
  const columns = "(environment_id, kind, resource_id, declared)";
  const insert = `insert into lineage ${columns} values (${slots.join(", ")}) on conflict do nothing`;
  for (const [table, source] of Object.entries(sources)) {
    const { kind } = source;
    const read = (columns: string, limit: number) =>
      engine.read({
        sql: `select ${columns} from ${table} where environment_id is not null and not exists (select 1 from lineage
          where lineage.environment_id = ${table}.environment_id and kind = '${kind}' and resource_id = ${table}.id)
          order by position limit ${limit}`,
        parameters: [],
      });
    for (;;) {
      const lengths = await read("octet_length(doc) as length", rowsAtOnce);
      if (lengths.length === 0) break;
      const found = await read("environment_id, id, owner, doc", fitting(lengths));
      await engine.write(
        found.map(({ environment_id, id, owner, doc }) => {
          const declared = declaredOf(source, JSON.parse(String(doc)), owner === null ? null : String(owner));
          return { sql: insert, parameters: [String(environment_id), kind, String(id), declared] };
        }),
      );
    }
  }
}

/** How many of these rows to read at once: at least one, and as many as fit into a stretch by `length` and `more`. */
export function fitting(lengths: readonly Readonly<Record<string, unknown>>[]): number {
  let sum = 0;
  const over = lengths.findIndex(({ length, more }) => {
    sum += Number(length) + Number(more ?? 0);
    return sum > stretch;
  });
  return Math.max(1, over < 0 ? lengths.length : over);
}
