import type { Engine } from "@lakehelm/engine";

/** Sends the requests of an environment to the engine of its platform, and all others to the engine of this server. */
export function engineByPlatform(
  own: Engine,
  engineOf: (environmentId: string) => Promise<Pick<Engine, "request"> | undefined>,
): Engine {
  return {
    async request(kind, body, options) {
      const other = "scope" in body ? await engineOf(body.scope.environment) : undefined;
      return (other ?? own).request(kind, body, options);
    },
    get pid() {
      return own.pid;
    },
    ownPortsChanged: () => own.ownPortsChanged(),
    memory: () => own.memory(),
    stop: () => own.stop(),
  };
}
