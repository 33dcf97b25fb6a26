import type { Refs } from "../schema/index.ts";
import * as webhooks from "../webhooks.ts";
import type { OperationMethod, OperationObject, Parameter, PathItem } from "./types.ts";

/** The webhooks of the document, ordered by name. */
export function webhooksOf(refs: Refs): Record<string, PathItem> {
  return Object.fromEntries(
    Object.entries<webhooks.Webhook>(webhooks).map(([name, webhook]) => [
      name,
      pathItem(name, webhook, refs),
    ]),
  );
}

function pathItem(name: string, webhook: webhooks.Webhook, refs: Refs): PathItem {
  const operations = webhook.methods.map((method, index) => {
    // Operation ids must be unique in a document.
    const operationId = index === 0 ? name : `${name}As${method}`;
    return [method.toLowerCase() as OperationMethod, operationOf(operationId, webhook, refs)] as const;
  });
  return Object.fromEntries(operations);
}

function operationOf(
  operationId: string,
  { tag, summary, description, headers, body, example }: webhooks.Webhook,
  refs: Refs,
): OperationObject {
  const parameters = Object.entries(headers).map(
    ([name, meaning]): Parameter => ({
      name,
      in: "header",
      description: meaning,
      schema: { type: "string" },
    }),
  );
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { "application/json": { schema: body.jsonSchema(refs), example } },
    },
    responses: { "2XX": { description: "The receiver accepts it.", headers: {} } },
  };
}
