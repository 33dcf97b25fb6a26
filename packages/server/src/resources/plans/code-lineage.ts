import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AutomationDefinition, Environment, PlanKind } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { PipelineCode } from "@lakehelm/engine";
import { readTableName, sqlName } from "@lakehelm/sql/names";
import type { DataPaths, PipelineSource } from "@lakehelm/sql/pipelines";
import { createSemaphore } from "../../core/concurrency/semaphore.ts";
import { turns } from "../../core/concurrency/turns.ts";
import type { KeptCode } from "../../core/store/kept-code.ts";
import type { LineageRows } from "../../core/store/lineage-rows.ts";
import { sampledScript, sampleValues } from "../automations/sampled-script.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { PipelineLineage } from "../pipelines/pipeline-lineage.ts";
import type { Definition } from "../planned-definition.ts";
import { type Lineage, lineageOf, nodeOf, type TableScope } from "./lineage.ts";

export interface CodeResource {
  readonly kind: PlanKind;
  readonly name: string;
  /** Undefined: it does not exist yet. */
  readonly id: string | undefined;
  readonly definition: Definition;
  /** The planned SQL of a pipeline; undefined: its SQL does not change. */
  readonly planned?:
    | (() => Promise<Pick<PipelineCode, "scope" | "sources" | "configuration"> | undefined>)
    | undefined;
}

interface CodeLineages {
  readonly of: ReadonlyMap<Definition, Lineage>;
  /** Pipelines and automations whose code is not completely known, by `nodeOf`. */
  readonly unknown: readonly string[];
  /** Stores what pipelines read and write, because their code may be broken later. Not for use within a transaction. */
  readonly keep: () => Promise<void>;
}

/**
 * What resources read and write by their code: the single source for the catalog, for the effects of a failure and for
 * plans. A reader waits at most `waitMs`; what is found later is there at the next request.
 */
export type ReadCodeLineage = (
  resources: readonly CodeResource[],
  place: { readonly environment: Pick<Environment, "id" | "name">; readonly scope: TableScope },
  waitMs: number,
) => Promise<CodeLineages>;

/**
 * The lineage of one resource from its code; undefined: it has no code, or `mayRead` is false. For lineage that is
 * already known, `mayRead` is not called. Rejects if the code could not be read this time.
 */
export type ReadCode = (
  resource: CodeResource,
  place: { readonly environment: string; readonly scope: TableScope },
  mayRead?: () => boolean,
) => DataPaths | Promise<DataPaths> | undefined;

/** The maximum number of resources whose code is read for one request. Known lineage does not count. */
const maxRead = 500;
const maxKept = 5_000;
const nameDefaults = ({ catalog, schema }: TableScope) => ({ catalog, schema });
const nothing: DataPaths = { paths: [], isComplete: true };
const unreadable: DataPaths = { paths: [], isComplete: false };

export function createCodeReader(
  generator: Pick<CodeGenerator, "paths">,
  ofPipeline: PipelineLineage,
): ReadCode {
  const kept = new Map<string, { readonly pending: Promise<DataPaths>; found?: DataPaths }>();

  function pathsOf(sources: readonly PipelineSource[], scope: TableScope, mayRead: () => boolean) {
    const rules = { ...nameDefaults(scope), configuration: {}, language: "script" as const };
    return keptPaths({ sources, rules }, mayRead);
  }

  function keptPaths(request: Parameters<CodeGenerator["paths"]>[0], mayRead: () => boolean) {
    if (request.sources.length === 0) return nothing;
    const key = hash("sha256", encodeJson([request.rules, request.sources]), "base64url");
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known);
      return known.found ?? known.pending;
    }
    if (!mayRead()) return undefined;
    const pending = generator.paths(request);
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

  const pathsOfPipeline = ({
    scope,
    sources,
    configuration,
  }: Pick<PipelineCode, "scope" | "sources" | "configuration">) =>
    keptPaths(
      { sources, rules: { ...nameDefaults(scope), configuration, language: "pipeline" } },
      () => true,
    );

  return ({ kind, id, definition, planned }, { environment, scope }, mayRead = () => true) => {
    switch (kind) {
      case "pipeline":
        if (planned && mayRead())
          return planned().then((code) => (code && pathsOfPipeline(code)) ?? unreadable);
        return id !== undefined && mayRead() ? ofPipeline(id) : undefined;
      case "automation":
        return pathsOf(tasksIn(definition, environment), scope, mayRead);
      case "flow":
        return pathsOf(selectsIn(definition, scope), scope, mayRead);
      default:
        return undefined;
    }
  };
}

/** Pipelines that are read at once: the configuration of each may have a megabyte. */
const readAtOnce = 2;

export function createCodeLineage(
  readCode: ReadCode,
  rows: Pick<LineageRows, "inEnvironment">,
  keptCode: Pick<KeptCode, "keepPipeline">,
): ReadCodeLineage {
  /** The lineage of each resource's last good version, by `nodeOf`. */
  async function lastGood(environmentId: string): Promise<ReadonlyMap<string, DataPaths["paths"]>> {
    const found = new Map<string, DataPaths["paths"]>();
    for await (const { kind, name, code } of rows.inEnvironment(environmentId))
      if (code?.isComplete || code?.isFormer) found.set(nodeOf(kind, name), code.paths);
    return found;
  }

  const permit = createSemaphore(readAtOnce);
  const never = new AbortController().signal;

  return async (resources, { environment, scope }, waitMs) => {
    const place = { environment: environment.name, scope };
    const limit = pause(waitMs, undefined, { ref: false });
    const unknown = new Set<string>();
    const live = new Map<string, { readonly id: string; readonly paths: DataPaths }>();
    const turn = turns();
    let left = maxRead;
    const mayRead = () => {
      left -= 1;
      return left >= 0;
    };
    const begun: { one: CodeResource; declared: Lineage; reading: Promise<DataPaths | undefined> }[] = [];
    // One after the other: each definition is searched on this thread.
    for (const one of resources) {
      await turn();
      const declared = lineageOf(one.kind, one.definition, place.scope);
      const read = () => Promise.try(readCode, one, place, mayRead);
      const reading = (one.kind === "pipeline" ? permit(never, read) : read()).catch(() => undefined);
      begun.push({ one, declared, reading });
    }
    const found = await Promise.all(
      begun.map(async ({ one, declared, reading }) => {
        const { kind, name, id, definition } = one;
        const paths = await Promise.race([reading, limit]);
        const isPipeline = kind === "pipeline" && (id !== undefined || one.planned !== undefined);
        const isExpected = kind === "automation" || isPipeline;
        if (isExpected && !paths?.isComplete) unknown.add(nodeOf(kind, name));
        if (kind === "pipeline" && id !== undefined && !one.planned && paths?.isComplete)
          live.set(nodeOf(kind, name), { id, paths });
        const isKnown = !isExpected || paths?.isComplete === true;
        const hasPaths = paths && (kind !== "flow" || paths.isComplete);
        const lineage = hasPaths ? { ...declared, paths: paths.paths } : declared;
        return { definition, lineage, former: isKnown ? undefined : nodeOf(kind, name) };
      }),
    );
    const good = unknown.size > 0 ? await lastGood(environment.id) : undefined;
    const of = found.map(({ definition, lineage, former: node }) => {
      const paths = node === undefined ? undefined : (live.get(node)?.paths.paths ?? good?.get(node));
      return [definition, paths ? { ...lineage, paths } : lineage] as const;
    });
    return {
      of: new Map(of),
      unknown: [...unknown],
      async keep() {
        for (const { id, paths } of live.values())
          await keptCode.keepPipeline(id, environment.id, paths).catch(() => undefined);
      },
    };
  };
}

/** The SQL tasks of an automation, with values in place of its placeholders. */
function tasksIn({ definition }: Definition, environment: string): readonly PipelineSource[] {
  if (!definition) return [];
  const { tasks, parameters } = definition as AutomationDefinition;
  const values = sampleValues(parameters, environment);
  return tasks.flatMap((task) => {
    const script = task.kind === "sql" ? sampledScript(task, values) : undefined;
    // A script that cannot be filled becomes a text that is not SQL, so that the lineage counts as incomplete.
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
