import { shown } from "@lakehelm/contract/text";
import { timezoneProblem, toQuartz } from "@lakehelm/schedule";
import type { BundleTrigger } from "../bundle.ts";

const executionModes = ["batch", "table_update", "file_arrival", "live", "manual"];

/** The tables or the folder that a trigger can watch. */
interface WatchableSource {
  readonly tables: readonly string[];
  readonly folder: string | null;
}

/** The trigger of a connector, and a sentence about it. */
export function triggerOf(
  request: { readonly execution_mode: string; readonly schedule_cron?: string | undefined },
  watched: WatchableSource,
  timezone: string,
): { readonly trigger: BundleTrigger; readonly started: string; readonly problems: readonly string[] } {
  const { execution_mode: mode, schedule_cron: cron } = request;
  const problems: string[] = [];
  const result = (trigger: BundleTrigger, started: string) => ({ trigger, started, problems });
  const byHand = result({ kind: "manual" }, "It is started by hand.");

  const converted = cron === undefined ? undefined : toQuartz(cron);
  if (converted && "problem" in converted) problems.push(`schedule_cron: ${converted.problem}`);

  switch (mode) {
    case "batch": {
      if (cron === undefined) return result({ kind: "manual" }, "It has no schedule and is started by hand.");
      if (!converted || "problem" in converted) return byHand;
      const problem = timezoneProblem(timezone);
      if (problem) problems.push(`The environment's configuration.timezone: ${problem}`);
      const schedule = { cron, quartz: converted.quartz, timezone };
      return result({ kind: "schedule", schedule }, `It runs at ${cron} (${timezone}).`);
    }
    case "table_update": {
      if (watched.tables.length === 0) {
        problems.push(
          'execution_mode "table_update" needs lakehouse tables as sources. Use "batch", "live" or "manual".',
        );
      }
      return result({ kind: "table_update", tables: watched.tables }, "It runs when a source table changes.");
    }
    case "file_arrival": {
      const { folder } = watched;
      if (folder === null) {
        problems.push('execution_mode "file_arrival" needs a connection of type files.');
        return byHand;
      }
      const problem = folderProblem(folder);
      if (problem) problems.push(`execution_mode "file_arrival" cannot watch ${shown(folder)}: ${problem}`);
      return result(
        { kind: "file_arrival", url: folder.endsWith("/") ? folder : `${folder}/` },
        "It runs when there are new files.",
      );
    }
    case "live":
      return result({ kind: "live" }, "It runs again as soon as a run has ended.");
    case "manual":
      return byHand;
    default:
      problems.push(`execution_mode ${shown(mode)} is not one of ${executionModes.join(", ")}.`);
      return byHand;
  }
}

/** The folder is written to YAML unchanged, and the platform can watch only cloud storage and volumes. */
function folderProblem(folder: string): string | undefined {
  if (folder.includes("${") || folder.includes("{{"))
    return 'it contains "${" or "{{", which a bundle replaces.';
  if (/^(\/Volumes\/|(s3|s3a|abfss|wasbs|gs|r2|dbfs:\/Volumes)[:/])/.test(folder)) return undefined;
  return "expected a volume (/Volumes/…) or an address in cloud storage (s3://, abfss://, gs://).";
}
