import { capture } from "../transfer/capture/capture.ts";
import { endCapture } from "../transfer/capture/capture-end.ts";
import { checkConnection, discoverDatasets, listFiles } from "../transfer/connection-check.ts";
import { withRedaction } from "../transfer/connection-redaction.ts";
import { deliver } from "../transfer/delivery.ts";
import { ingest } from "../transfer/ingest.ts";
import { preview } from "../transfer/preview.ts";
import { listRejects } from "../transfer/rejects.ts";
import type { RequestHandlers } from "./request-handlers.ts";

export const transferHandlers: Pick<
  RequestHandlers,
  "transfer" | "capture" | "endCapture" | "preview" | "rejects" | "check" | "discover" | "listFiles"
> = {
  transfer: withRedaction(async (request, context) => {
    const result = await (request.direction === "in" ? ingest : deliver)(request, context);
    context.crashPoint("recorded");
    return result;
  }),
  capture: withRedaction(async (request, context) => {
    const result = await capture(request, context);
    context.crashPoint("recorded");
    return result;
  }),
  endCapture: withRedaction(endCapture),
  preview: withRedaction(preview),
  async rejects({ scope, datasets, skip, limit }, context) {
    return listRejects(await context.warehouse(scope.environment), datasets, { skip, limit });
  },
  check: withRedaction(checkConnection),
  discover: withRedaction(discoverDatasets),
  listFiles: withRedaction(listFiles),
};
