import type { DesignFile } from "@lakehelm/codegen";
import type { AutomationDefinition } from "@lakehelm/contract";
import { decodeJson } from "@lakehelm/contract/schema";
import { firingsOf } from "@lakehelm/schedule";
import type { DefinitionCheck } from "./definition-check.ts";
import { metadataFile } from "./design.ts";
import { inOrder } from "./task-order.ts";

const firingsShown = 5;

/** What would be committed and run: metadata, tasks in execution order, next scheduled times, tables and files. */
export function previewOf(
  files: readonly DesignFile[],
  valid: DefinitionCheck["valid"],
  now: Date,
): Record<string, unknown> {
  return {
    ...metadataIn(files),
    ...(valid && {
      tasks: inOrder(valid.definition.tasks).map(({ name, kind, reference, depends_on }) => ({
        name,
        kind,
        ...(reference && { reference }),
        depends_on,
      })),
      next_firings: nextFirings(valid.definition, now),
      tables_read: valid.tables.reads,
      tables_written: valid.tables.writes,
      ...(valid.awaited.length > 0 && { tables_not_there_yet: valid.awaited }),
    }),
    files: files.map(({ path, content }) => ({ path, bytes: Buffer.byteLength(content) })),
  };
}

function nextFirings({ schedule }: AutomationDefinition, now: Date): string[] {
  if (!schedule) return [];
  const firings = firingsOf(schedule.cron, schedule.timezone ?? "UTC").next(now.getTime(), firingsShown);
  return firings.map((instant) => new Date(instant).toISOString());
}

function metadataIn(files: readonly DesignFile[]): object {
  const read = decodeJson(files.find(({ path }) => path === metadataFile)?.content ?? "");
  return "value" in read && typeof read.value === "object" && read.value !== null ? read.value : {};
}
