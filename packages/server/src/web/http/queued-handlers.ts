import type { Call } from "./handler.ts";

interface CallerQueue {
  run<Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

/** The same handlers, but those with these names run through a queue, by caller. */
export function queued<Handlers extends object>(
  queue: CallerQueue,
  handlers: Handlers,
  names: readonly (keyof Handlers)[],
): Handlers {
  const through = (name: keyof Handlers) => {
    const handle = handlers[name] as (call: Call) => Promise<unknown>;
    return (call: Call) => queue.run(call.caller.name, call.signal, () => handle(call));
  };
  return { ...handlers, ...Object.fromEntries(names.map((name) => [name, through(name)])) };
}
