import type { endpoints } from "@lakehelm/contract";
import { runFilters } from "../../runtime/jobs/runs.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { AutomationRuns } from "./runs.ts";

type Routes = "runAutomation" | "listAutomationRuns";

export const automationRunHandlers = (runs: AutomationRuns): Handlers<Pick<typeof endpoints, Routes>> => ({
  async runAutomation(call) {
    const environment = call.header("x-environment-id");
    return { body: await runs.run(call.params.automation_alias, environment, call.body ?? {}, call) };
  },
  async listAutomationRuns({ params, query, header }) {
    const environment = header("x-environment-id");
    const filter = { status: query.status, ...runFilters(query) };
    return { body: await runs.page(params.automation_alias, environment, filter, query) };
  },
});
