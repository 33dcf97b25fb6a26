import { quartzMismatch, timezoneProblem } from "@lakehelm/schedule";
import type { Artifact } from "../artifact.ts";
import { type BundlePart, jobsIn } from "./yaml/bundle.ts";

/**
 * Checks that the declared schedule fires like the cron expression that it was converted from, and that the YAML has
 * the same schedule.
 */
export function scheduleProblems({ schedule }: Artifact, part: BundlePart | undefined): string[] {
  const problems: string[] = [];
  for (const [location, job] of part ? jobsIn(part) : []) {
    const { quartz_cron_expression: quartz, timezone_id: zone } = job.schedule ?? {};
    if (quartz === schedule?.quartz && zone === schedule?.timezone) continue;
    problems.push(
      `${location}.schedule: The file has ${scheduleText(quartz, zone)}, but the artifact declares ${scheduleText(schedule?.quartz, schedule?.timezone)}.`,
    );
  }
  if (!schedule) return problems;
  const found = [quartzMismatch(schedule), timezoneProblem(schedule.timezone)];
  return [...problems, ...found.filter((problem) => problem !== undefined)];
}

const scheduleText = (quartz: string | undefined, zone: string | undefined) =>
  quartz === undefined ? "no schedule" : `"${quartz}" in ${zone}`;
