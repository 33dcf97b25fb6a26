import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Environment } from "@lakehelm/contract";
import { hostIn } from "@lakehelm/contract/connections";
import { conflict } from "../../../core/errors.ts";
import { destinationOf } from "../../../core/secrets/secret-destination.ts";
import { randomFraction, type System } from "../../../core/system.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { createWorkspaceClient, type WorkspaceClient, type WorkspaceClientOptions } from "./client/client.ts";
import { createLimiter, type Limiter } from "./client/limiter.ts";
import { fetchMachineToken } from "./client/machine-token.ts";
import { createRequestMetrics } from "./client/request-metrics.ts";
import { fixedToken, renewedToken, type TokenSource } from "./client/token-source.ts";
import { readConfiguration, type WorkspaceConfiguration } from "./configuration.ts";
import { type Credentials, readCredentials, type SecretLookup } from "./credentials.ts";

/** The workspace of one environment. */
export interface Workspace {
  /** The same for environments with the same workspace and identity: they see the same things. */
  readonly key: string;
  readonly environment: Environment;
  readonly configuration: WorkspaceConfiguration;
  readonly client: WorkspaceClient;
  /** For addresses outside of the workspace's API, such as links to results. It sends no token. */
  readonly outbound: Pick<Outbound, "send">;
}

/** Opens the workspaces of environments. Environments with the same host share its limits, and their tokens if they can. */
export interface Workspaces {
  /** Reads the environment's configuration and credentials; throws 409 with everything that is missing or wrong. */
  open(environmentId: string): Promise<Workspace>;
  /** What was sent to workspaces, in the Prometheus text format. */
  metrics(): string;
}

interface WorkspacesOptions {
  readonly outbound: Pick<Outbound, "send" | "open">;
  readonly system: Pick<System, "randomBytes">;
  /** In development `http` to this machine is allowed. */
  readonly allowsHttp: boolean;
  /** The environment, its configuration with secret values, and its secrets. */
  environment(id: string): Promise<Environment>;
  configurationOf(id: string): Promise<Readonly<Record<string, unknown>>>;
  readonly secretOf: SecretLookup;
}

/** More tokens than anyone needs; the oldest are dropped, and fetched again when they are needed. */
const mostTokens = 200;

const clockOf = (system: Pick<System, "randomBytes">): WorkspaceClientOptions["clock"] => ({
  now: () => performance.now(),
  sleep: async (ms, signal) => void (await setTimeout(ms, undefined, { signal })),
  random: () => randomFraction(system),
});

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { outbound, system, allowsHttp } = options;
  const clock = clockOf(system);
  const limiters = new Map<string, Limiter>();
  const metrics = createRequestMetrics();
  const tokens = new Map<string, TokenSource>();

  function limiterOf(host: string): Limiter {
    const known = limiters.get(host) ?? createLimiter(host, clock, undefined, metrics.of(host).waited);
    limiters.set(host, known);
    return known;
  }

  function tokensOf(host: string, credentials: Credentials, key: string): TokenSource {
    if ("token" in credentials) return fixedToken(credentials.token);
    const known =
      tokens.get(key) ?? renewedToken(() => fetchMachineToken(outbound, host, credentials), clock.now);
    tokens.delete(key);
    tokens.set(key, known);
    const [oldest] = tokens.keys();
    if (tokens.size > mostTokens && oldest !== undefined) tokens.delete(oldest);
    return known;
  }

  return {
    metrics: metrics.print,
    async open(environmentId) {
      const environment = await options.environment(environmentId);
      const secretValues = await options.configurationOf(environmentId);
      const read = readConfiguration(environment, { allowsHttp });
      const credentials = await readCredentials(
        environment,
        secretValues,
        options.secretOf,
        // Without a valid host nothing is sent: the problems are reported.
        "problems" in read ? [] : destinationOf(hostIn(read.configuration.host)),
      );
      const problems = [
        ...("problems" in read ? read.problems : []),
        ...("problem" in credentials ? [credentials.problem] : []),
      ];
      if ("problems" in read || "problem" in credentials) throw conflict(problems.join(" "));
      const { configuration } = read;
      const { host } = configuration;
      const key = keyOf(host, credentials);
      const client = createWorkspaceClient({
        host,
        owner: environmentId,
        outbound,
        tokens: tokensOf(host, credentials, key),
        limiter: limiterOf(host),
        clock,
        counter: metrics.of(host),
      });
      return { key, environment, configuration, client, outbound };
    },
  };
}

/** The key contains no secret, only digests. */
function keyOf(host: string, credentials: Credentials): string {
  const digest = (secret: string) => createHash("sha256").update(secret).digest("base64");
  return "token" in credentials
    ? JSON.stringify([host, digest(credentials.token)])
    : JSON.stringify([host, credentials.clientId, digest(credentials.clientSecret)]);
}
