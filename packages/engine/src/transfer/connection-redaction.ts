import { createRedaction, credentialsIn, type Redaction } from "@lakehelm/contract/connections";
import type { ConnectionConfig } from "../protocol/transfer.ts";
import type { RequestContext } from "../warehouse/request-context.ts";

/** Hides the credentials of a connection. */
export const connectionRedaction = ({ type, config }: ConnectionConfig): Redaction =>
  createRedaction(credentialsIn(type, config));

/** A handler whose result, error, log lines and progress do not show the credentials of the connection. */
export const withRedaction =
  <Request extends { readonly connection: ConnectionConfig }, Result>(
    handler: (request: Request, context: RequestContext) => Promise<Result>,
  ) =>
  (request: Request, context: RequestContext): Promise<Result> => {
    const redaction = connectionRedaction(request.connection);
    return redaction.outcome(
      handler(request, {
        ...context,
        log: (level, text) => context.log(level, redaction.text(text)),
        progress: (values) => context.progress(redaction.tree(values)),
      }),
    );
  };
