import type { WorkspaceClient } from "../client/client.ts";
import type { Complete, PipelineLogEvent } from "./update-tables.ts";
import { pathOf, type WorkspacePipeline } from "./workspace-pipelines.ts";

const pageSize = 250;
/** 20 requests: later events of a long update are not read. */
const mostPages = 20;

interface EventPage {
  readonly events?: readonly PipelineLogEvent[];
  readonly next_page_token?: string;
}

/** The events of an update, the oldest first. */
export async function eventsOf(
  client: WorkspaceClient,
  pipelineId: string,
  updateId: string,
): Promise<PipelineLogEvent[]> {
  const path = `${pathOf(pipelineId)}/events`;
  const filter = `update_id = '${updateId.replace(/[^\w-]/g, "")}'`;
  const events: PipelineLogEvent[] = [];
  let page = await client.get<EventPage>(path, {
    filter,
    order_by: "timestamp asc",
    max_results: pageSize,
  });
  for (let pages = 1; ; pages++) {
    events.push(...(page.events ?? []));
    const { next_page_token } = page;
    if (!next_page_token || pages >= mostPages) return events;
    // A page token may be combined only with the size of a page.
    page = await client.get<EventPage>(path, { page_token: next_page_token, max_results: pageSize });
  }
}

/** Names in a log may lack the catalog and the schema of the pipeline. */
export function completionOf({ spec }: WorkspacePipeline): Complete {
  const { catalog, schema } = spec ?? {};
  return (name) => {
    const parts = name.replaceAll("`", "").split(".").length;
    const before = [...(parts < 3 && catalog ? [catalog] : []), ...(parts < 2 && schema ? [schema] : [])];
    return [...before, name.replaceAll("`", "")].join(".");
  };
}
