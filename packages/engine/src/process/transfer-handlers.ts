import type { CaptureRequest, TransferRequest, TransferResult } from "../protocol/transfer.ts";
import { capture } from "../transfer/capture/capture.ts";
import { endCapture } from "../transfer/capture/capture-end.ts";
import type { OpenCaptureTarget } from "../transfer/capture/capture-target.ts";
import { checkConnection, discoverDatasets, listFiles } from "../transfer/connection-check.ts";
import { withRedaction } from "../transfer/connection-redaction.ts";
import { deliver } from "../transfer/delivery.ts";
import { ingest } from "../transfer/ingest.ts";
import { preview } from "../transfer/preview.ts";
import { listRejects } from "../transfer/rejects.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { RequestHandlers } from "./request-handlers.ts";

async function moved(request: TransferRequest, context: RequestContext): Promise<TransferResult> {
  const { cluster, direction } = request;
  if (!cluster) return (direction === "in" ? ingest : deliver)(request, context);
  // Loaded when it is needed: most servers have no cluster.
  const { deliverFromCluster, ingestIntoCluster } = await import("../transfer/cluster/index.ts");
  return (direction === "in" ? ingestIntoCluster : deliverFromCluster)({ ...request, cluster }, context);
}

async function targetOf({ cluster, scope }: CaptureRequest): Promise<OpenCaptureTarget | undefined> {
  if (!cluster) return undefined;
  const { openClusterTarget } = await import("../transfer/cluster/index.ts");
  return (...given) => openClusterTarget(cluster, scope.environment, ...given);
}

export const transferHandlers: Pick<
  RequestHandlers,
  "transfer" | "capture" | "endCapture" | "preview" | "rejects" | "check" | "discover" | "listFiles"
> = {
  transfer: withRedaction(async (request, context) => {
    const result = await moved(request, context);
    context.crashPoint("recorded");
    return result;
  }),
  capture: withRedaction(async (request, context) => {
    const result = await capture(request, context, await targetOf(request));
    context.crashPoint("recorded");
    return result;
  }),
  endCapture: withRedaction(endCapture),
  preview: withRedaction(async (request, context) => {
    const { cluster } = request;
    if (!cluster) return preview(request, context);
    const { previewOnCluster } = await import("../transfer/cluster/index.ts");
    return previewOnCluster({ ...request, cluster }, context);
  }),
  async rejects({ scope, datasets, skip, limit }, context) {
    return listRejects(await context.warehouse(scope.environment), datasets, { skip, limit });
  },
  check: withRedaction(checkConnection),
  discover: withRedaction(discoverDatasets),
  listFiles: withRedaction(listFiles),
};
