import { createHash } from "node:crypto";
import { type EndpointBody, type endpoints, maxTableChanges, type TableAlteration } from "@lakehelm/contract";
import { withEnvironment } from "@lakehelm/contract/changes";
import type { AlterTableResult } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, InvalidRequest } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import { lineageWaitMs, readGraph } from "../overview/environment-graph.ts";
import type { PlannedKind } from "../plans/planned-kind.ts";
import type { ReadStoredLineage } from "../plans/stored-lineage.ts";
import { brokenReaders, changedColumns } from "./alteration-readers.ts";
import { changeSentences, unfitSentences } from "./alteration-text.ts";
import { writerFindings } from "./alteration-writers.ts";

type Input = EndpointBody<typeof endpoints.planTableAlteration>;
type Request = EndpointBody<typeof endpoints.alterTable>;

export interface Alterations {
  plan(env: EnvironmentContext, input: Input, signal: AbortSignal): Promise<PlannedTable>;
  apply(
    env: EnvironmentContext,
    request: Request,
    context: ChangeContext,
    signal: AbortSignal,
  ): Promise<TableAlteration>;
}

interface PlannedTable {
  readonly answer: TableAlteration;
  readonly result: AlterTableResult;
}

/** Alters the columns of tables. A plan has what happens to everything that writes or reads the table. */
export function createAlterations(
  { store }: Pick<Dependencies, "store">,
  kinds: readonly PlannedKind[],
  lineages: ReadStoredLineage,
): Alterations {
  async function plan(env: EnvironmentContext, { table, changes }: Input, signal: AbortSignal) {
    if (changes.length > maxTableChanges)
      throw new InvalidRequest(
        ["body", "changes"],
        `An alteration has at most ${maxTableChanges} changes.`,
        changes.length,
      );
    const scope = warehouseScope(env);
    const result = await requestWarehouse(env, "alterTable", { scope, table, changes }, signal);
    const graph = await readGraph(env, kinds, lineages, lineageWaitMs.table);
    const name = result.name.join(".");
    const writers = writerFindings(await graph.writersOf(name), result, scope).map((one) => ({
      ...one,
      sentence: withEnvironment(one.sentence, env.environment.name),
    }));
    const readers = await brokenReaders(graph, result);
    const problems = [
      ...unfitSentences(result),
      ...writers.filter(({ level }) => level === "refused").map(({ sentence }) => sentence),
    ];
    const content = {
      table: name,
      columns: result.columns.map(({ name, type, before, unfit }) => ({ name, type, before, unfit })),
      dropped: result.dropped.map((column) => column.name),
      changes: changeSentences(result),
      writers,
      readers: [...readers],
      unknown: [...graph.unknown],
      problems,
      breaking:
        readers.length > 0 ||
        writers.some(({ level }) => level === "breaking") ||
        (graph.unknown.length > 0 && changedColumns(result).length > 0),
    };
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 32);
    return { answer: { ...content, applied: false, digest }, result };
  }

  return {
    plan,
    async apply(env, { force, digest, ...input }, context, signal) {
      const { answer, result } = await plan(env, input, signal);
      if (digest !== null && digest !== answer.digest)
        throw conflict(
          `The plan for ${answer.table} is out of date: something has changed since. Plan it again.`,
        );
      if (answer.changes.length === 0) return answer;
      if (answer.problems.length > 0)
        throw conflict(`${answer.table} was not changed. ${answer.problems.join(" ")}`);
      if (answer.breaking && !force) throw conflict(unconfirmed(answer));
      const subject = `table/${env.environment.id}/${answer.table}`;
      const record = (kind: string) =>
        store.apply({
          context,
          steps: [],
          events: [{ kind, subject, data: { table: answer.table, changes: answer.changes } }],
        });
      // Recorded before the alteration too: after a crash during it, nothing more would be recorded.
      await record("table.alteration_started");
      const request = { scope: warehouseScope(env), ...input, expected: result.before };
      await requestWarehouse(env, "alterTable", request, signal);
      await record("table.altered");
      return { ...answer, applied: true };
    },
  };
}

function unconfirmed({ table, writers, readers, unknown }: TableAlteration): string {
  const found = [
    ...writers.filter(({ level }) => level === "breaking").map(({ sentence }) => sentence),
    ...readers.slice(0, 10).map(({ kind, name, via }) => `${kind} ${name}: ${via}`),
  ];
  const sentences = [
    ...found,
    ...unknown.slice(0, 10).map((name) => `The tables of ${name} are not all known.`),
  ];
  const more = readers.length > 10 ? ` And ${readers.length - 10} more.` : "";
  const depends = found.length > 0 ? "depends" : "may depend";
  return `${table} was not changed, because something ${depends} on what it has now. ${sentences.join(" ")}${more} To change it nevertheless, set force (--force).`;
}
