import { setImmediate } from "node:timers/promises";
import type { PlanKind } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { createSemaphore } from "../../core/concurrency/semaphore.ts";
import { turns } from "../../core/concurrency/turns.ts";
import { type KeptCode, pipelineKey } from "../../core/store/kept-code.ts";
import type { CodeLineage, LineageRow, LineageRows } from "../../core/store/lineage-rows.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Definition } from "../planned-definition.ts";
import type { ReadCode } from "./code-lineage.ts";
import { type Lineage, lineageIn, nodeOf, type TableScope } from "./lineage.ts";
import type { PlannedKind } from "./planned-kind.ts";

/** A resource of an environment with what it reads and writes, without its definition. */
interface StoredResource {
  readonly kind: PlanKind;
  readonly id: string;
  readonly name: string;
  readonly jobId: string | null;
  readonly lineage: Lineage;
}

interface StoredLineages {
  readonly resources: readonly StoredResource[];
  /** Resources whose tables are not all known, by `nodeOf`. */
  readonly unknown: readonly string[];
}

/**
 * The lineage of all resources of an environment, from the rows that are stored with the definitions. Only code that
 * has changed since it was last read is read, for at most `waitMs`; what is found later is there at the next request.
 */
export type ReadStoredLineage = (env: EnvironmentContext, waitMs: number) => Promise<StoredLineages>;

interface StoredLineageOptions {
  readonly rows: LineageRows;
  readonly kinds: readonly PlannedKind[];
  readonly readCode: ReadCode;
  readonly keptCode: Pick<KeptCode, "settle">;
}

/** Definitions whose code is read at once: each is parsed on this thread. */
const readAtOnce = 2;

export function createStoredLineage({
  rows,
  kinds,
  readCode,
  keptCode,
}: StoredLineageOptions): ReadStoredLineage {
  const permit = createSemaphore(readAtOnce);
  const never = new AbortController().signal;
  /** Reads in progress, by what they read, so that concurrent readers share them. */
  const reading = new Map<string, Promise<CodeLineage | undefined>>();

  async function definitionOf(
    { kind, name }: LineageRow,
    environmentId: string,
  ): Promise<Definition | undefined> {
    // The code of a pipeline is in its files.
    if (kind === "pipeline") return {};
    const live = await kinds.find((one) => one.kind === kind)?.find(environmentId, name);
    return live?.declared.masked;
  }

  async function read(row: LineageRow, env: EnvironmentContext, scope: TableScope, key: string) {
    const { kind, id, name, codeAt } = row;
    // Parsing several definitions in one turn would block other requests for too long.
    await setImmediate();
    const definition = await definitionOf(row, env.environment.id);
    if (!definition) return undefined;
    const found = await readCode(
      { kind, id, name, definition },
      { environment: env.environment.name, scope },
    );
    if (!found) return undefined;
    return keptCode.settle(codeAt, key, found, async () => row.code);
  }

  function readOnce(row: LineageRow, env: EnvironmentContext, scope: TableScope, key: string) {
    const what = encodeJson([row.codeAt, key]);
    const found = reading.getOrInsertComputed(what, () =>
      permit(never, () => read(row, env, scope, key)).finally(() => reading.delete(what)),
    );
    // If all readers have left, a rejection must not count as unhandled.
    found.catch(() => {});
    return found;
  }

  return async (env, waitMs) => {
    const { environment } = env;
    const scope = warehouseScope(env);
    const turn = turns();
    const unknown = new Set<string>();
    const resources: StoredResource[] = [];
    const unread: { readonly at: number; readonly row: LineageRow; readonly key: string }[] = [];
    for await (const row of rows.inEnvironment(environment.id)) {
      await turn();
      const { kind, id, name, job, declared, code } = row;
      const node = nodeOf(kind, name);
      if (declared.isCut) unknown.add(node);
      const key =
        kind === "pipeline"
          ? pipelineKey
          : encodeJson([declared.code ?? "", scope.catalog, scope.schema, environment.name]);
      const hasCode = kind === "pipeline" || declared.code !== undefined;
      if (hasCode && (kind === "pipeline" || code?.key !== key))
        unread.push({ at: resources.length, row, key });
      else if (hasCode && kind !== "flow" && !code?.isComplete) unknown.add(node);
      resources.push({
        kind,
        id,
        name,
        jobId: job,
        lineage: withCode(lineageIn(kind, declared, scope), row),
      });
    }
    const limit = new Promise<"late">((late) => setTimeout(late, waitMs, "late").unref());
    await Promise.all(
      unread.map(async ({ at, row, key }) => {
        const found = await Promise.race([readOnce(row, env, scope, key).catch(() => undefined), limit]);
        const known = resources[at] as StoredResource;
        const code = found === "late" ? undefined : found;
        if (code) resources[at] = { ...known, lineage: withCode(known.lineage, { ...row, code }) };
        if (!code?.isComplete && row.kind !== "flow") unknown.add(nodeOf(row.kind, row.name));
      }),
    );
    return { resources, unknown: [...unknown] };
  };
}

/** If the SELECTs of a flow cannot all be read, its declaration says more. */
function withCode(declared: Lineage, { kind, code }: Pick<LineageRow, "kind" | "code">): Lineage {
  if (!code || (kind === "flow" && !code.isComplete)) return declared;
  return { ...declared, paths: code.paths };
}
