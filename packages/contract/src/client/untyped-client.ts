import { followEvents, followLog } from "./event-follower.ts";
import type { Operation } from "./operation.ts";
import type { ClientOptions, FollowLogOptions, FollowOptions, FullResponse } from "./options.ts";
import { allItems } from "./pages.ts";
import { prepareRequest, type UntypedCall } from "./request.ts";
import { readResponse } from "./response.ts";
import { createTransport } from "./transport.ts";

const defaultTimeoutMs = 30_000;

type Methods<Result> = Record<string, (call?: UntypedCall) => Result>;

/** A client with a method for each operation. `Client` adds the types. */
export function createUntypedClient(
  operations: Readonly<Record<string, Operation>> & { readonly readEvents: Operation },
  options: ClientOptions,
): object {
  const transport = createTransport(options);

  async function callWithResponse(
    operation: Operation,
    call: UntypedCall = {},
  ): Promise<FullResponse<unknown>> {
    const request = prepareRequest(operation, call, options.baseUrl, options.environment);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs;
    const limits = { signal: call.signal, timeout: () => AbortSignal.timeout(timeoutMs) };
    return transport.send(request, limits, (response) => readResponse(operation, response));
  }
  const callForBody = async (operation: Operation, call?: UntypedCall) =>
    (await callWithResponse(operation, call)).body;

  const bodies: Methods<Promise<unknown>> = {};
  const withResponse: Methods<Promise<FullResponse<unknown>>> = {};
  const all: Methods<AsyncGenerator<unknown, void, undefined>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    bodies[name] = (call) => callForBody(operation, call);
    withResponse[name] = (call) => callWithResponse(operation, call);
    const { list } = operation;
    if (list === undefined) continue;
    all[name] = (call = {}) => allItems(list, call, (page) => callForBody(operation, page));
  }
  const follow = (followOptions?: FollowOptions) =>
    followEvents(operations.readEvents, transport, options, followOptions);
  const log = (name: string, logOptions: FollowLogOptions) =>
    followLog(operations[name] as Operation, transport, options, logOptions);
  return { ...bodies, withResponse, all, followEvents: follow, followLog: log };
}
