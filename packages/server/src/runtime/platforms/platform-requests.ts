import { setTimeout as pause } from "node:timers/promises";
import { conflict, type Problem, unavailable } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import {
  completed,
  Deferred,
  handlerOf,
  type OutboxEntry,
  type OutboxHandlers,
  type OutboxTransaction,
  type Topic,
  topic,
} from "../../core/outbox/topic.ts";
import { type ChangeContext, type Step, subjectKind } from "../../core/store/store.ts";
import { platformContext, type System } from "../../core/system.ts";
import { type PlatformResource, platformResources, resourceRefusal } from "./capabilities.ts";
import {
  DataFolderLost,
  type Platform,
  type PlatformOutcome,
  RequestInProgress,
  RequestPending,
} from "./platform.ts";
import { isComponentRequest, type PlatformRequest, type ResourceRequests } from "./platform-request.ts";

/** Applies an outcome to the subject of the request. */
export type RecordOutcome<Resource extends keyof ResourceRequests> = (
  request: ResourceRequests[Resource],
  outcome: PlatformOutcome,
  context: ChangeContext,
) => Promise<Omit<OutboxTransaction, "context">>;

export interface SubmittedRequest {
  readonly steps: readonly Step[];
  /** Known immediately if the platform's effects are transactional. */
  readonly outcome: PlatformOutcome | undefined;
  /** After the transaction: performs the remaining work, and returns the outcome once it is recorded. */
  finish(): Promise<PlatformOutcome>;
}

/**
 * Shows in the subject why its request could not be done yet; undefined if the subject already shows it or need not.
 */
export type RecordWaiting<Resource extends keyof ResourceRequests> = (
  request: ResourceRequests[Resource],
  reason: string,
) => Promise<Omit<OutboxTransaction, "context"> | undefined>;

const triesAgain = " The server tries again.";

/** Whether a message is the reason why a request to a platform could not be done yet. */
export const isWaitingReason = (message: string | null): boolean => message?.endsWith(triesAgain) === true;

/** The platforms by name. */
export interface Platforms {
  /** Throws 409 if this server does not have the platform. */
  platform(name: string): Platform;
  readonly all: readonly Platform[];
}

/**
 * The requests to platforms, between the transaction that makes them and the transaction that records the outcome. A
 * request is an outbox entry of the first transaction.
 */
export interface PlatformRequests extends Platforms {
  /** Turns a request into steps for the caller's transaction. */
  submit(platform: Platform, request: PlatformRequest): SubmittedRequest;
  /** The outbox handler for the requests of a resource. */
  handler<Resource extends keyof ResourceRequests>(
    resource: Resource,
    record: RecordOutcome<Resource>,
    waiting?: RecordWaiting<Resource>,
  ): OutboxHandlers;
  /** Performs what an earlier process, or another server, left unfinished, and waits for it. */
  resume(): Promise<void>;
}

interface PlatformRequestsOptions {
  readonly platforms: readonly Platform[];
  readonly outbox: Pick<Outbox, "begin" | "runDue">;
  /** The platform of an environment; undefined if the environment does not exist. */
  readonly platformOf: (environmentId: string) => Promise<string | undefined>;
  /** Whether this server has the processes and files that platforms with `needsData` act on. */
  readonly holdsDataFolder: () => boolean;
}

/** A request without the fields that an outbox entry has itself. */
type Payload<Request extends PlatformRequest> = Request extends PlatformRequest
  ? Omit<Request, "id" | "environmentId">
  : never;

/** Only the resource itself adds entries to its topic, so their type is known. */
const topicOf = <Request extends PlatformRequest>(
  resource: string,
): Topic<Payload<Request>, PlatformOutcome> => topic(`${resource}.platform`);

/** What an outbox entry of a topic results in if all goes well. */
export const assumedOutcome = (topic: string): PlatformOutcome | undefined =>
  topic.endsWith(".platform") ? { done: true, reference: null } : undefined;

const requestOf = <Request extends PlatformRequest>(entry: OutboxEntry<Payload<Request>>) =>
  ({ id: entry.id, environmentId: entry.environmentId ?? "", ...entry.payload }) as unknown as Request;

export function createPlatforms(platforms: readonly Platform[]): Platforms {
  return {
    all: platforms,
    platform(name) {
      const known = platforms.find((one) => one.name === name);
      if (!known) throw unknownPlatform(name, platforms);
      return known;
    },
  };
}

export function createPlatformRequests(system: System, options: PlatformRequestsOptions): PlatformRequests {
  const { platforms, outbox, platformOf, holdsDataFolder } = options;

  async function platformFor(environmentId: string): Promise<Platform | undefined> {
    const name = await platformOf(environmentId);
    return platforms.find((one) => one.name === name);
  }

  async function perform(platform: Platform, request: PlatformRequest): Promise<PlatformOutcome> {
    try {
      return await platform.perform(request);
    } catch (error) {
      if (error instanceof DataFolderLost) {
        const message = `${error.message} The next holder of the data folder completes it.`;
        throw new Deferred(unavailable(message, error));
      }
      if (error instanceof RequestInProgress) throw new Deferred(error, error.afterMs);
      if (error instanceof RequestPending) throw error;
      return { done: false, reason: (error as Error).message };
    }
  }

  return {
    ...createPlatforms(platforms),
    submit(platform, request) {
      const refused = refusalOf(platform, request);
      if (refused) return { steps: [], outcome: refused, finish: async () => refused };
      const within = platform.within?.(request);
      if (within) return { ...within, finish: async () => within.outcome };
      const { id, environmentId, ...payload } = request;
      // In order within an environment: for example, an agent stops after its apps. Requests that take minutes have
      // their own key, so that they hold up nothing else.
      const isSlow = platform.capabilities.managedEndpoints === true && isComponentRequest(request);
      const key = `platform/${environmentId}${isSlow ? `/${request.subject}` : ""}`;
      const entry = { id, key, environmentId, payload };
      const { step, finish } = outbox.begin(topicOf(subjectKind(request.subject)), entry);
      return { steps: [step], outcome: undefined, finish: () => finish() };
    },
    handler: <Resource extends keyof ResourceRequests>(
      resource: Resource,
      record: RecordOutcome<Resource>,
      waiting?: RecordWaiting<Resource>,
    ) =>
      handlerOf(topicOf<ResourceRequests[Resource]>(resource), {
        async readiness(entry) {
          const platform = await platformFor(entry.environmentId ?? "");
          if (!platform) return "elsewhere";
          const { needsData } = platform;
          if (!(typeof needsData === "function" ? needsData(requestOf(entry)) : needsData)) return "any";
          return holdsDataFolder() ? "here" : "elsewhere";
        },
        async perform(entry) {
          const platform = await platformFor(entry.environmentId ?? "");
          if (!platform) throw new Error(`The environment ${entry.environmentId} has no platform here.`);
          return completed(await perform(platform, requestOf(entry)));
        },
        async waiting(entry, error) {
          const reason = `${(error as Error).message}${triesAgain}`;
          return error instanceof RequestPending ? waiting?.(requestOf(entry), reason) : undefined;
        },
        async record(entry, outcome) {
          const context = platformContext(system);
          const request = requestOf(entry);
          const platform = await platformFor(entry.environmentId ?? "");
          const { steps, ...rest } = await record(request, outcome, context);
          const own = platform?.recorded?.(request, outcome, context) ?? [];
          return { context, steps: [...steps, ...own], ...rest };
        },
      }),
    async resume() {
      const late = new AbortController();
      const done = outbox.runDue(platformResources.map((resource) => topicOf(resource)));
      // A platform that does not answer must not keep the server from starting: the outbox continues.
      await Promise.race([done, pause(longestResumeMs, undefined, { signal: late.signal })]);
      late.abort();
    },
  };
}

/**
 * A request for a resource that the platform does not run is refused at once. Nothing of the resource exists there, so
 * a removal or a stop is already done.
 */
function refusalOf(
  { name, capabilities }: Platform,
  { kind, subject }: PlatformRequest,
): PlatformOutcome | undefined {
  const resource = subjectKind(subject) as PlatformResource;
  if (capabilities.resources.includes(resource)) return undefined;
  if (kind.endsWith(".remove") || kind === "component.stop") return { done: true, reference: null };
  return { done: false, reason: resourceRefusal(name, resource, capabilities.resources) };
}

const unknownPlatform = (name: string, platforms: readonly Platform[]): Problem =>
  conflict(`Unknown platform "${name}". Available platforms: ${platforms.map((p) => p.name).join(", ")}.`);

/** The start of the server waits for the platforms this long. */
const longestResumeMs = 5_000;

/** A caller waits for a platform this long. The request continues without the caller. */
const longestWaitMs = 20_000;

/** The outcome, once it is recorded; undefined: the platform is unavailable, or takes longer than a caller waits. */
export async function settled({
  finish,
}: Pick<SubmittedRequest, "finish">): Promise<PlatformOutcome | undefined> {
  const late = new AbortController();
  const finished = finish().catch((error) => {
    // The platform is unavailable: the outbox performs the request again.
    if (!(error instanceof RequestPending)) throw error;
    return undefined;
  });
  const timeout = pause(longestWaitMs, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([finished, timeout]);
  } finally {
    late.abort();
    // The outbox has logged an error that nobody waits for any more.
    finished.catch(() => {});
  }
}

/** Waits for the outcome; if the platform is another system, only for `longestWaitMs`. */
export const settledOn = async (
  platform: Pick<Platform, "needsData">,
  submitted: Pick<SubmittedRequest, "finish">,
): Promise<void> => void (await (platform.needsData === true ? submitted.finish() : settled(submitted)));
