import { createHash } from "node:crypto";
import type { Environment } from "@lakehelm/contract";
import { hostIn } from "@lakehelm/contract/connections";
import type { StagingConfig } from "@lakehelm/engine";
import { connectSocket, EgressRefused, type EgressRules } from "@lakehelm/engine/egress";
import { Channel, isSessionLost, SparkSession } from "@lakehelm/spark-connect";
import { conflict, Problem } from "../../../core/errors.ts";
import { referencesIn } from "../../../core/secrets/references.ts";
import { destinationOf, type SecretDestination } from "../../../core/secrets/secret-destination.ts";
import {
  type ClusterConfiguration,
  type ClusterKeys,
  clusterCredentialHost,
  readConfiguration,
} from "./configuration.ts";
import { useDefaultNames } from "./default-names.ts";
import { readStaging } from "./staging.ts";

/** The cluster of one environment. */
export interface Cluster {
  readonly configuration: ClusterConfiguration;
  /** `host:port` */
  readonly authority: string;
  readonly token: string | null;
  /**
   * Where rows are staged, with its credentials; null if the environment does not configure it. Throws 409 if the
   * configuration is wrong.
   */
  staging(): Promise<StagingConfig | null>;
  /** Runs with the environment's session. If the server has lost it, runs once more with a new one: only for reads. */
  read<Result>(work: (session: SparkSession) => Promise<Result>): Promise<Result>;
  /** A session of its own, to be released by the caller. The same id (a UUID) is the same session, also for another server. */
  session(id: string, settings?: Readonly<Record<string, string>>): Promise<SparkSession>;
}

/** Opens the clusters of environments. Those with the same address and token share a connection. */
export interface Clusters {
  /** Reads the environment's configuration and token; throws 409 with everything that is missing or wrong. */
  open(environmentId: string): Promise<Cluster>;
  close(): Promise<void>;
}

export interface ClustersOptions {
  readonly rules: EgressRules;
  /** Connections without TLS to other machines are allowed. */
  readonly allowsPlain: boolean;
  environment(id: string): Promise<Environment>;
  configurationOf(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** How long a cluster may take to start a session. */
  readonly startMs?: number;
  /** The value of a secret in an environment's store; undefined if there is none. */
  secretOf(
    environmentId: string,
    scope: string,
    key: string,
    to: SecretDestination,
  ): Promise<string | undefined>;
}

/** Spark's own limit for messages to clients. */
const maxMessageBytes = 128 * 1024 * 1024;
/** More connections than anyone needs; the oldest are closed. */
const mostConnections = 100;

/** Set in every session of ours, so that what queries may do does not depend on the setup of the cluster. */
const sessionSettings = {
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.ansi.enabled": "true",
  "spark.sql.runSQLOnFiles": "false",
};

export function createClusters(options: ClustersOptions): Clusters {
  const { rules, allowsPlain, startMs = 120_000 } = options;
  const channels = new Map<string, Channel>();
  const sessions = new Map<string, Promise<SparkSession>>();
  /** Sessions whose schema does not exist yet: each of their reads looks for it again. */
  const withoutSchema = new WeakSet<SparkSession>();

  async function tokenOf(
    { id, name, secretScope }: Environment,
    configuration: ClusterKeys,
    to: SecretDestination,
  ): Promise<{ token: string | null } | { problem: string }> {
    const { token, token_key: key } = configuration;
    const [reference] = referencesIn(token);
    const scope = reference?.scope ?? (secretScope || "lakehelm");
    const named = reference?.key ?? (typeof key === "string" && key !== "" ? key : undefined);
    if (named === undefined)
      return { token: typeof token === "string" && token !== "" ? token.trim() : null };
    const value = (await options.secretOf(id, scope, named, to))?.trim();
    if (value !== undefined) return { token: value };
    return {
      problem: `The environment "${name}" has no secret ${scope}/${named}. Store the token of the cluster there.`,
    };
  }

  function channelOf({ host, port, tls }: ClusterConfiguration, token: string | null): [string, Channel] {
    const hash = createHash("sha256")
      .update(token ?? "")
      .digest("base64");
    const key = JSON.stringify([host, port, tls, token === null, hash]);
    const known =
      channels.get(key) ??
      new Channel({
        authority: `${host}:${port}`,
        tls,
        token,
        maxMessageBytes,
        connect: () => connectSocket(rules, { host, port, tls }),
      });
    channels.delete(key);
    channels.set(key, known);
    const [oldest] = channels;
    if (channels.size > mostConnections && oldest) {
      channels.delete(oldest[0]);
      void oldest[1].close();
    }
    return [key, known];
  }

  /** Runs work with a time limit of its own: other calls share a session that starts, so none of them may stop it. */
  async function answered<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const signal = AbortSignal.timeout(startMs);
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const message = `The Spark cluster is not available: it did not answer within ${startMs / 1000} s.`;
      throw new Problem("unavailable", message, { retryAfterSeconds: 5, cause: error });
    }
  }

  return {
    async open(environmentId) {
      const environment = await options.environment(environmentId);
      const read = readConfiguration(environment, { allowsPlain });
      const withSecrets = await options.configurationOf(environmentId);
      const token = await tokenOf(
        environment,
        withSecrets,
        // Without a valid address nothing is sent: the problems are reported.
        "problems" in read ? [] : destinationOf(hostIn(read.configuration.host, read.configuration.port)),
      );
      const problems = [
        ...("problems" in read ? read.problems : []),
        ...("problem" in token ? [token.problem] : []),
      ];
      if ("problems" in read || "problem" in token) throw conflict(problems.join(" "));
      const { configuration } = read;
      const [channelKey, channel] = channelOf(configuration, token.token);
      const key = JSON.stringify([environmentId, channelKey, configuration.catalog, configuration.schema]);

      async function started(
        id?: string,
        settings: Readonly<Record<string, string>> = {},
      ): Promise<SparkSession> {
        const session = new SparkSession(channel, { user: "lakehelm", ...(id !== undefined && { id }) });
        await answered((signal) => session.configure({ ...sessionSettings, ...settings }, { signal }));
        return session;
      }
      async function complete(session: SparkSession): Promise<SparkSession> {
        if (await answered((signal) => useDefaultNames(session, configuration, signal)))
          withoutSchema.delete(session);
        else withoutSchema.add(session);
        return session;
      }
      function session(): Promise<SparkSession> {
        const known = sessions.get(key) ?? started().then(complete);
        sessions.set(key, known);
        known.catch(() => sessions.delete(key));
        return known;
      }

      return {
        configuration,
        authority: `${configuration.host}:${configuration.port}`,
        token: token.token,
        session: started,
        staging: async () =>
          configuration.staging === null
            ? null
            : readStaging(configuration.staging, withSecrets, ({ scope, key }) =>
                options.secretOf(
                  environmentId,
                  scope,
                  key,
                  destinationOf(clusterCredentialHost(environment.configuration, "staging_options")),
                ),
              ),
        async read(work) {
          const first = await session();
          try {
            if (withoutSchema.has(first)) await complete(first);
            return await work(first);
          } catch (error) {
            if (!isSessionLost(error)) throw error;
            if ((await sessions.get(key)?.catch(() => undefined)) === first) sessions.delete(key);
            return work(await session());
          }
        },
      };
    },
    async close() {
      const ending = [...sessions.values()].map(async (session) => (await session).release());
      const limit = new Promise<void>((done) => setTimeout(done, 2_000).unref());
      await Promise.race([Promise.allSettled(ending), limit]);
      await Promise.allSettled([...channels.values()].map((channel) => channel.close()));
      sessions.clear();
      channels.clear();
    },
  };
}

export const isRefusedAddress = (error: unknown): boolean =>
  error instanceof EgressRefused || (error instanceof Error && error.cause instanceof EgressRefused);
