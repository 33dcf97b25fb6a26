import { quartzMismatch, timezoneProblem } from "@lakehelm/schedule";
import type { Artifact } from "../artifact.ts";
import { type BundlePart, jobsIn } from "./yaml/bundle.ts";

/** The schedule that an artifact claims fires as the cron it was made from, and is the one that its YAML has. */
export function scheduleProblems({ schedule }: Artifact, part: BundlePart | undefined): string[] {
  const problems: string[] = [];
  for (const [place, job] of part ? jobsIn(part) : []) {
    const { quartz_cron_expression: quartz, timezone_id: zone } = job.schedule ?? {};
    if (quartz === schedule?.quartz && zone === schedule?.timezone) continue;
    problems.push(
      `${place}.schedule: It has ${told(quartz, zone)}, but ${told(schedule?.quartz, schedule?.timezone)} is claimed.`,
    );
  }
  if (!schedule) return problems;
  const found = [quartzMismatch(schedule), timezoneProblem(schedule.timezone)];
  return [...problems, ...found.filter((problem) => problem !== undefined)];
}

const told = (quartz: string | undefined, zone: string | undefined) =>
  quartz === undefined ? "no schedule" : `"${quartz}" in ${zone}`;
