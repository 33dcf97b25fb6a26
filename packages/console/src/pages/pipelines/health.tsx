import type { VNode } from "preact";
import type { Pipeline } from "../../data/pipelines.ts";
import { Status } from "../../ui/status.tsx";
import { isActive } from "./texts.ts";

/** The state of a running update, otherwise the health of the pipeline. */
export function Health({ pipeline }: { pipeline: Pipeline }): VNode {
  const { health, latest_updates, error_message } = pipeline;
  const active = latest_updates?.find(isActive);
  if (active) return <Status value={active.state.toLowerCase()} />;
  if (error_message !== null) return <Status value="error" title={error_message} />;
  if (health?.status === "UNHEALTHY") {
    const title = `${health.consecutive_failures} failed in a row`;
    return <Status value="unhealthy" title={title} />;
  }
  if (health?.is_stale) return <Status value="late" title="Its last success is older than usual." />;
  return health?.status === "HEALTHY" ? <Status value="healthy" /> : <Status value="new" />;
}
