import { createRedaction, credentialsIn, type Redaction } from "@lakehelm/contract/connections";
import type { ClusterAccess, ConnectionConfig, StagingConfig } from "../protocol/transfer.ts";
import type { RequestContext } from "../warehouse/request-context.ts";

/** Hides the credentials of a connection. */
export const connectionRedaction = ({ type, config }: ConnectionConfig): Redaction =>
  createRedaction(credentialsIn(type, config));

/** The credentials of a bucket where rows are staged. */
export const stagingCredentials = (staging: StagingConfig): string[] => credentialsIn("csv", staging);

/** A handler whose result, error, log lines and progress do not show the credentials of the connection and the cluster. */
export const withRedaction =
  <Request extends { readonly connection: ConnectionConfig; readonly cluster?: ClusterAccess }, Result>(
    handler: (request: Request, context: RequestContext) => Promise<Result>,
  ) =>
  (request: Request, context: RequestContext): Promise<Result> => {
    const redaction = connectionRedaction(request.connection);
    const { cluster } = request;
    if (cluster) {
      for (const secret of [cluster.token ?? "", ...stagingCredentials(cluster.staging)])
        redaction.add(secret);
    }
    return redaction.outcome(
      handler(request, {
        ...context,
        log: (level, text) => context.log(level, redaction.text(text)),
        progress: (values) => context.progress(redaction.tree(values)),
      }),
    );
  };
