import type { Run, RunRequest } from "@lakehelm/contract";
import { conflict, notFound } from "../../core/errors.ts";
import type { HistoryRequest } from "../../core/store/history-page.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import { jobIdOf } from "../../runtime/jobs/job-steps.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { RunPage, RunSearch } from "../../runtime/jobs/runs.ts";
import type { Environments } from "../environments/environments.ts";
import type { Automations } from "./automations.ts";
import { noReleaseText } from "./no-release.ts";
import { automationSubject } from "./registry.ts";

/** The runs of an automation in one environment. */
export interface AutomationRuns {
  /** Runs the current release now. `environment`: id or name; absent: the default environment. */
  run(alias: string, environment: string | undefined, request: RunRequest, call: CreateRequest): Promise<Run>;
  page(
    alias: string,
    environment: string | undefined,
    filter: Omit<RunSearch, "job">,
    request: HistoryRequest<string>,
  ): Promise<RunPage>;
}

export function createAutomationRuns(
  automations: Pick<Automations, "find" | "currentRelease">,
  environments: Pick<Environments, "actIn">,
  { rules, rows }: Pick<Jobs, "rules" | "rows">,
): AutomationRuns {
  async function released(alias: string, reference: string | undefined) {
    const automation = await automations.find(alias);
    if (!automation) throw notFound(`There is no automation "${alias}".`);
    const { environment, platform } = await environments.actIn(reference);
    const release = await automations.currentRelease(automation.id, environment.id);
    return { automation, release, environment, platform };
  }

  return {
    async run(alias, reference, request, call) {
      const { release, environment, platform } = await released(alias, reference);
      if (!release) throw conflict(noReleaseText(alias, environment.name));
      const { workflow_id, version } = release.doc;
      const job = workflow_id === null ? undefined : await rows.find(workflow_id);
      if (job) return rules.runNow(job, request, call);
      throw conflict(
        `${alias} ${version} has no job in ${environment.name} that Lakehelm can run: the platform is ${platform.name}.`,
      );
    },
    async page(alias, reference, filter, request) {
      const { automation, release, environment } = await released(alias, reference);
      // The runs of a job outlive the job and the release.
      const { workflow_id = null } = release?.doc ?? {};
      // A remote platform has its own job ids.
      const known = workflow_id === null ? undefined : await rows.find(workflow_id);
      const job = known?.id ?? workflow_id ?? jobIdOf(automationSubject(automation.id), environment.id);
      return rules.page({ ...filter, job }, request);
    },
  };
}
