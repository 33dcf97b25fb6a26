import { setTimeout as pause } from "node:timers/promises";
import type { AutomationDefinition, PlanKind } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { readTableName, sqlName } from "@lakehelm/sql/names";
import type { DataPaths, PipelineSource } from "@lakehelm/sql/pipelines";
import { sampledScript, sampleValues } from "../automations/sampled-script.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { PipelineLineage } from "../pipelines/pipeline-lineage.ts";
import type { Definition } from "../planned-definition.ts";
import { type Lineage, lineageOf, nodeOf, type TableScope } from "./lineage.ts";

interface CodeResource {
  readonly kind: PlanKind;
  readonly name: string;
  /** Undefined: it does not exist yet. */
  readonly id: string | undefined;
  readonly definition: Definition;
}

interface CodeLineages {
  readonly of: ReadonlyMap<Definition, Lineage>;
  /** Pipelines and automations of whose code something is not known, by `nodeOf`. */
  readonly unknown: readonly string[];
}

/**
 * What resources read and write by their code: the one answer for the catalog, for what a failure affects and for plans. A reader
 * waits at most `waitMs`; what is found later is there at the next request.
 */
export type ReadCodeLineage = (
  resources: readonly CodeResource[],
  place: { readonly environment: string; readonly scope: TableScope },
  waitMs: number,
) => Promise<CodeLineages>;

/** Resources whose code is read for one request. What is known already does not count. */
const maxRead = 500;
const maxKept = 5_000;
const nothing: DataPaths = { paths: [], isComplete: true };

export function createCodeLineage(
  generator: Pick<CodeGenerator, "paths">,
  ofPipeline: PipelineLineage,
): ReadCodeLineage {
  const kept = new Map<string, { readonly pending: Promise<DataPaths>; found?: DataPaths }>();

  function pathsOf(sources: readonly PipelineSource[], scope: TableScope, mayRead: () => boolean) {
    if (sources.length === 0) return nothing;
    const { catalog, schema } = scope;
    const key = encodeJson([catalog, schema, sources]);
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known);
      return known.found ?? known.pending;
    }
    if (!mayRead()) return undefined;
    const rules = { catalog, schema, configuration: {}, language: "script" as const };
    const pending = generator.paths({ sources, rules });
    const entry: { readonly pending: typeof pending; found?: DataPaths } = { pending };
    kept.set(key, entry);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? "");
    pending.then(
      (found) => {
        entry.found = found;
      },
      () => kept.delete(key),
    );
    return pending;
  }

  return async (resources, { environment, scope }, waitMs) => {
    const limit = pause(waitMs, undefined, { ref: false });
    const unknown = new Set<string>();
    let left = maxRead;
    const mayRead = () => {
      left -= 1;
      return left >= 0;
    };
    const read = ({ kind, id, definition }: CodeResource) => {
      switch (kind) {
        case "pipeline":
          return id !== undefined && mayRead() ? ofPipeline(id) : undefined;
        case "automation":
          return pathsOf(tasksIn(definition, environment), scope, mayRead);
        case "flow":
          return pathsOf(selectsIn(definition, scope), scope, mayRead);
        default:
          return undefined;
      }
    };
    const found = await Promise.all(
      resources.map(async (one) => {
        const { kind, name, id, definition } = one;
        const declared = lineageOf(kind, definition, scope);
        const paths = await Promise.race([Promise.resolve(read(one)).catch(() => undefined), limit]);
        const isExpected = kind === "automation" || (kind === "pipeline" && id !== undefined);
        if (isExpected && !paths?.isComplete) unknown.add(nodeOf(kind, name));
        if (!paths || (kind === "flow" && !paths.isComplete)) return [definition, declared] as const;
        return [definition, { ...declared, paths: paths.paths }] as const;
      }),
    );
    return { of: new Map(found), unknown: [...unknown] };
  };
}

/** The SQL tasks of an automation, with values in place of its placeholders. */
function tasksIn({ definition }: Definition, environment: string): readonly PipelineSource[] {
  if (!definition) return [];
  const { tasks, parameters } = definition as AutomationDefinition;
  const values = sampleValues(parameters, environment);
  return tasks.flatMap((task) => {
    const script = task.kind === "sql" ? sampledScript(task, values) : undefined;
    // A text that cannot be read as SQL: the lineage is not complete.
    return script ? [{ path: task.name, text: "problem" in script ? "?" : script.sql }] : [];
  });
}

/** The SELECTs of a flow, as statements that write its tables. */
function selectsIn(definition: Definition, scope: TableScope): readonly PipelineSource[] {
  const target = readTableName(String(definition.target_name), scope, "");
  if ("problem" in target) return [];
  const unmatched = { ...target, table: `${target.table}_unmatched` };
  const into = { matched_sql: target, recheck_sql: target, unmatched_sql: unmatched };
  return Object.entries(into).flatMap(([path, table]) => {
    const select = definition[path];
    if (typeof select !== "string" || select === "") return [];
    return [{ path, text: `INSERT INTO ${sqlName(table)}\n${select}` }];
  });
}
