import { FakeContent, FakeError, type Routes } from "./route.ts";

export interface FakeEndpoint {
  readonly name: string;
  tags: { key: string; value: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: what a test sends is what it expects
  config: any;
  // biome-ignore lint/suspicious/noExplicitAny: what a test sends is what it expects
  pending: any;
  failure: string | undefined;
  suspended: boolean;
}

/** Model serving. A config is served at once, unless `isSlow`: then the test calls `settle`. */
export function servingRoutes() {
  const endpoints = new Map<string, FakeEndpoint>();
  const state = { isSlow: false };
  const found = (name = "") => {
    const endpoint = endpoints.get(name);
    if (!endpoint)
      throw new FakeError(404, "RESOURCE_DOES_NOT_EXIST", `Endpoint with name '${name}' does not exist.`);
    return endpoint;
  };

  function settle(endpoint: FakeEndpoint, failure?: string): void {
    if (failure === undefined) endpoint.config = endpoint.pending ?? endpoint.config;
    endpoint.failure = failure;
    endpoint.pending = undefined;
  }

  function change(endpoint: FakeEndpoint, config: unknown): void {
    endpoint.pending = config;
    if (!state.isSlow) settle(endpoint);
  }

  /** A served entity with the fields that the service adds. */
  const served = (entity: object) => ({
    workload_type: "CPU",
    ...entity,
    creator: "ada",
    state: { deployment: "DEPLOYMENT_READY", deployment_state_message: "" },
  });

  const shown = ({ name, tags, config, pending, failure, suspended }: FakeEndpoint) => ({
    name,
    tags,
    state: {
      ready: config && !suspended ? "READY" : "NOT_READY",
      config_update: pending ? "IN_PROGRESS" : failure === undefined ? "NOT_UPDATING" : "UPDATE_FAILED",
      ...(suspended && { suspend: "STOPPED" }),
    },
    ...(config && { config: { ...config, served_entities: config.served_entities.map(served) } }),
    ...(pending && { pending_config: pending }),
    ...(failure !== undefined && {
      pending_config: { served_entities: [{ name: "agent", state: { deployment_state_message: failure } }] },
    }),
  });

  const routes: Routes = {
    "POST /api/2.0/serving-endpoints": ({ body }) => {
      if (endpoints.has(body.name))
        throw new FakeError(
          409,
          "RESOURCE_ALREADY_EXISTS",
          `Endpoint with name '${body.name}' already exists.`,
        );
      const { name, tags, config } = body;
      const endpoint: FakeEndpoint = {
        name,
        tags,
        config: undefined,
        pending: undefined,
        failure: undefined,
        suspended: false,
      };
      endpoints.set(name, endpoint);
      change(endpoint, config);
      return shown(endpoint);
    },
    "GET /api/2.0/serving-endpoints": () =>
      endpoints.size === 0 ? {} : { endpoints: [...endpoints.values()].map(shown) },
    "GET /api/2.0/serving-endpoints/{name}": ({ params }) => shown(found(params.name)),
    "PUT /api/2.0/serving-endpoints/{name}/config": ({ params, body }) => {
      const endpoint = found(params.name);
      if (endpoint.pending) throw new FakeError(409, "RESOURCE_CONFLICT", "It is being updated.");
      endpoint.failure = undefined;
      change(endpoint, body);
      return shown(endpoint);
    },
    "PATCH /api/2.0/serving-endpoints/{name}/tags": ({ params, body }) => {
      const endpoint = found(params.name);
      const added: FakeEndpoint["tags"] = body.add_tags;
      const removed: readonly string[] = body.delete_tags ?? [];
      const kept = endpoint.tags.filter(
        ({ key }) => !removed.includes(key) && !added.some((one) => one.key === key),
      );
      endpoint.tags = [...kept, ...added];
      return { tags: endpoint.tags };
    },
    "POST /api/2.0/serving-endpoints/{name}/config:start": ({ params }) => {
      found(params.name).suspended = false;
      return {};
    },
    "DELETE /api/2.0/serving-endpoints/{name}": ({ params }) => {
      endpoints.delete(found(params.name).name);
      return {};
    },
    "GET /api/2.0/serving-endpoints/{name}/served-models/{model}/build-logs": () => ({ logs: "" }),
    "GET /api/2.0/serving-endpoints/{name}/served-models/{model}/logs": ({ params }) => {
      found(params.name);
      return { logs: "loaded the model\nlistening\n" };
    },
    "POST /serving-endpoints/{name}/invocations": ({ params, body, text, headers }) => {
      const { config } = found(params.name);
      if (headers["content-type"] !== "application/json")
        throw new FakeError(400, "BAD_REQUEST", "The content type must be application/json.");
      if (!config) throw new FakeError(400, "BAD_REQUEST", "The endpoint is not ready.");
      const [{ entity_version }] = config.served_entities;
      if (body.stream)
        return new FakeContent("text/event-stream", `data: ${entity_version}\n\ndata: [DONE]\n\n`);
      if (!body.messages) return { predictions: [text.length] };
      const { content } = body.messages.at(-1);
      const answer = `version ${entity_version} heard ${content}, ${JSON.stringify(body.context ?? {})}`;
      return { choices: [{ index: 0, message: { role: "assistant", content: answer } }] };
    },
  };
  return { routes, endpoints, state, settle };
}
