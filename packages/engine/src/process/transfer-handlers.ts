import { checkConnection, discoverDatasets } from "../transfer/connection-check.ts";
import { withRedaction } from "../transfer/connection-redaction.ts";
import { deliver } from "../transfer/delivery.ts";
import { ingest } from "../transfer/ingest.ts";
import { preview } from "../transfer/preview.ts";
import { listRejects } from "../transfer/rejects.ts";
import type { RequestHandlers } from "./request-handlers.ts";

export const transferHandlers: Pick<
  RequestHandlers,
  "transfer" | "preview" | "rejects" | "check" | "discover"
> = {
  transfer: withRedaction(async (request, context) => {
    const result = await (request.direction === "in" ? ingest : deliver)(request, context);
    context.crashPoint("recorded");
    return result;
  }),
  preview: withRedaction(preview),
  async rejects({ scope, datasets, skip, limit }, context) {
    return listRejects(await context.warehouse(scope.environment), datasets, { skip, limit });
  },
  check: withRedaction(checkConnection),
  discover: withRedaction(discoverDatasets),
};
