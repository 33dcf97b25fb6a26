import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Access, ParsedRequest } from "@lakehelm/contract";
import { heldRole } from "@lakehelm/contract/text";
import { forbidden, Problem } from "../../core/errors.ts";
import type { ExpectedVersion, SaveAnswer } from "../../core/store/requests.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";
import type { Call, Caller, Role, ServerRole } from "./handler.ts";
import type { IdempotentRequest } from "./idempotency.ts";
import { readIfMatch } from "./preconditions.ts";
import type { Quota } from "./quota.ts";

const rank: Record<ServerRole, number> = { none: -1, viewer: 0, operator: 1, admin: 2 };

export const includesRole = (role: ServerRole, needed: Role): boolean => rank[role] >= rank[needed];

export const mayAct = (caller: Caller, needed: Role) => includesRole(caller.role, needed);

/** Checks the role on the whole server, whatever the role in the environment of the request. */
export const mayActOnServer = ({ role, serverRole = role }: Caller, needed: Role) =>
  includesRole(serverRole, needed);

/** A role in an environment replaces the role on the server, but does not limit an admin of the whole server. */
export const roleIn = ({ role, grants }: Caller, environmentId: string): ServerRole =>
  role === "admin" ? role : (grants?.get(environmentId) ?? role);

/** The ids of the environments that a caller sees; undefined: all. */
export const visibleEnvironments = ({ role, grants }: Caller): readonly string[] | undefined =>
  role === "none" ? [...(grants?.keys() ?? [])] : undefined;

/** An admin of the whole server sends most requests, which then need no check of their environment. */
export const isServerAdmin = ({ role, grants }: Caller): boolean => role === "admin" && grants === undefined;

/** Whether the caller has the role on the server or in any environment. Where it counts is checked after reading. */
const hasRole = ({ role, grants }: Caller, needed: Role): boolean =>
  includesRole(role, needed) || (grants?.values().some((granted) => includesRole(granted, needed)) ?? false);

/** A caller without a role on the server may have roles in environments: here, even the highest does not suffice. */
function roleText({ role, grants }: Caller): string {
  if (role !== "none" || grants === undefined) return `${heldRole(role)}.`;
  const most = [...grants.values()].sort((one, other) => rank[other] - rank[one])[0];
  return `no more than ${heldRole(most)} in any environment. Ask an admin of the environment for it.`;
}

/**
 * Authenticates a request. The service token is checked synchronously, without a promise: most requests use it. An
 * error is thrown or rejected: `await` handles both.
 */
export type Authenticate = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

/** Authenticates a caller and checks its role, or throws. Synchronous if the token can be checked without I/O. */
export type Guard = (request: IncomingMessage, access: Access) => Caller | Promise<Caller>;

/** Limits of requests by caller and, for those without a valid credential, by address. */
export interface GuardLimits {
  readonly perCaller: RateLimit | undefined;
  readonly perAddress: RateLimit | undefined;
  addressOf(request: IncomingMessage): string;
}

/** Credentials are shorter. A request with a longer body is counted before the body is read. */
const credentialBytes = 8 * 1024;

/** The quotas of the limits that are set. */
export const requestQuotas = ({ perCaller, perAddress }: GuardLimits): Quota[] => [
  ...(perCaller ? [{ name: "requests_per_caller", ...perCaller.usage() }] : []),
  ...(perAddress ? [{ name: "requests_per_address", ...perAddress.usage() }] : []),
];

export const requestLimits = (
  settings: Pick<Settings, "PLATFORM_RATE_LIMIT_PER_MINUTE" | "PLATFORM_RATE_LIMIT_PER_ADDRESS">,
  { monotonicMs }: Pick<System, "monotonicMs">,
  addressOf: GuardLimits["addressOf"],
): GuardLimits => ({
  perCaller: createRateLimit(settings.PLATFORM_RATE_LIMIT_PER_MINUTE, monotonicMs),
  perAddress: createRateLimit(settings.PLATFORM_RATE_LIMIT_PER_ADDRESS, monotonicMs),
  addressOf,
});

/** The caller of a public endpoint. */
const anyone: Caller = { name: "anonymous", role: "viewer", authType: "user_token" };

export function createGuard(
  authenticate: Authenticate,
  { perCaller, perAddress, addressOf }: GuardLimits,
): Guard {
  const admit = (caller: Caller, access: Role) => {
    perCaller?.count(caller.name);
    if (hasRole(caller, access)) return caller;
    throw forbidden(`This requires the role ${access}. ${caller.name} has ${roleText(caller)}`);
  };
  /**
   * A request with a valid credential never counts by address: others behind the same proxy cannot lock its user out.
   */
  function refuse(request: IncomingMessage, error: unknown): never {
    if (error instanceof Problem && error.kind === "unauthorized") perAddress?.count(addressOf(request));
    throw error;
  }
  return (request, access) => {
    if (access === "public") {
      // Health checks are never refused. A credential exchange is counted after its body is read, so that a user who
      // has logged in from the address before is not refused because of other users.
      if (announcedLength(request) > credentialBytes) perAddress?.count(addressOf(request));
      return anyone;
    }
    let caller: Caller | Promise<Caller>;
    try {
      caller = authenticate(request.headers);
    } catch (error) {
      return refuse(request, error);
    }
    if (!(caller instanceof Promise)) return admit(caller, access);
    return caller.then(
      (known) => admit(known, access),
      (error) => refuse(request, error),
    );
  };
}

export interface RateLimit {
  /** Counts a request. Throws if there were too many. */
  count(key: string): void;
  /** Counts the answer of an admitted request as further requests, by its length. */
  countAnswer(key: string, length: number): void;
  /** Adds the headers with the caller's limit (draft-ietf-httpapi-ratelimit-headers-10): names and values alternate. */
  addHeaders(key: string, headers: string[]): void;
  /** The highest usage of a key, of the requests for one minute. */
  usage(): { readonly used: number; readonly limit: number; readonly refused: number };
}

/** An answer counts as one more request for each of these characters: a caller gets about 480 MB a minute by default. */
const charactersPerRequest = 16 * 1024;

/** The maximum number of buckets. If there are more, the oldest is dropped, and its key starts with a full bucket. */
const maxBuckets = 10_000;

/** A token bucket per key; a burst of one minute is allowed. Undefined without a limit. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit | undefined {
  if (perMinute === 0) return undefined;
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  let refused = 0;
  const leftAt = (time: number, { left, at }: { left: number; at: number }) =>
    Math.min(perMinute, left + (time - at) * perMs);

  const policy = `"requests";q=${perMinute};w=60`;
  /** `r`: requests that are left; `t`: seconds until all of them are available again. */
  function addHeaders(key: string, headers: string[]): void {
    const bucket = buckets.get(key);
    const left = bucket ? leftAt(now(), bucket) : perMinute;
    const seconds = Math.ceil((perMinute - left) / perMs / 1000);
    const state = `"requests";r=${Math.max(0, Math.floor(left))};t=${seconds}`;
    headers.push("ratelimit-policy", policy, "ratelimit", state);
  }

  function count(key: string): void {
    const time = now();
    const bucket = buckets.get(key);
    if (!bucket) {
      const [oldest] = buckets.size >= maxBuckets ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
      buckets.set(key, { left: perMinute - 1, at: time });
      return;
    }
    bucket.left = leftAt(time, bucket);
    bucket.at = time;
    if (bucket.left < 1) {
      refused += 1;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.left) / perMs / 1000));
      const headers: string[] = [];
      addHeaders(key, headers);
      throw new Problem("tooMany", `Rate limit exceeded: ${perMinute} requests per minute.`, {
        retryAfterSeconds,
        headers,
      });
    }
    bucket.left -= 1;
  }

  return {
    count,
    countAnswer(key, length) {
      const bucket = buckets.get(key);
      if (!bucket) return;
      // The lower bound: it never takes much longer than a minute until the next request is admitted.
      bucket.left = Math.max(bucket.left - Math.floor(length / charactersPerRequest), -perMinute);
    },
    addHeaders,
    usage() {
      const time = now();
      const least = buckets
        .values()
        .reduce((left, bucket) => Math.min(left, leftAt(time, bucket)), perMinute);
      return { used: Math.min(perMinute, Math.ceil(perMinute - least)), limit: perMinute, refused };
    },
  };
}

interface CallSource {
  /** Storage quotas do not refuse this request: it stores at most a little. */
  readonly isBounded: boolean;
  readonly read: ParsedRequest;
  readonly yaml: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  readonly requestId: string;
  readonly client: () => string;
  readonly once: IdempotentRequest | undefined;
  readonly now: () => Date;
  readonly signal: () => AbortSignal;
}

/** What a bounded request may store despite a full quota: a reason or a message is shorter. */
const boundedBytes = 64 * 1024;

/** The call that a handler gets. Time and signal are created on first use, because only some handlers need them. */
class RequestCall implements Call {
  readonly params: Call["params"];
  readonly query: Call["query"];
  readonly body: Call["body"];
  readonly #source: CallSource;
  #context: ChangeContext | undefined;

  constructor(source: CallSource) {
    this.params = source.read.params;
    this.query = source.read.query;
    this.body = source.read.body as Call["body"];
    this.#source = source;
  }
  get yaml(): string | undefined {
    return this.#source.yaml;
  }
  get caller(): Caller {
    return this.#source.caller;
  }
  get client(): string {
    return this.#source.client();
  }
  get context(): ChangeContext {
    const { caller, requestId, now, isBounded } = this.#source;
    const { name: actor, role, serverRole = role } = caller;
    this.#context ??= {
      actor,
      role,
      serverRole,
      requestId,
      time: now().toISOString(),
      ...(isBounded && { freeBytes: boundedBytes }),
    };
    return this.#context;
  }
  get expectedVersion(): ExpectedVersion | undefined {
    return readIfMatch(this.header("if-match"));
  }
  get signal(): AbortSignal {
    return this.#source.signal();
  }
  // Arrow functions, because handlers destructure them: `const { context, header } = call`.
  readonly header = (name: string): string | undefined => {
    const value = this.#source.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  readonly saveAnswer: SaveAnswer = (text, version) => this.#source.once?.saveAnswer(text, version) ?? [];
}

export const makeCall = (source: CallSource): Call => new RequestCall(source);

/** A proxy may send the absolute URL (RFC 9112, 3.2.2): only its path and its query matter. */
export const originForm = (target: string): string => {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return rest.startsWith("/") || rest === "*" ? rest : `/${rest}`;
};

/** A caller's request id is accepted if it is short and printable. */
export function acceptedRequestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === "string" && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined;
}

const none = Buffer.alloc(0);

/** The caller disconnected before the whole request had arrived, or before it was answered. */
export class ClientDisconnected extends Error {}

/** The length of the body; infinite for a chunked body. */
export function announcedLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

/** Smaller bodies need no limit of their own: the number of connections is limited. */
const largeBody = 64 * 1024;
/** A chunked body counts as it arrives. */
const bodyStep = 1024 * 1024;

/**
 * Reads a body of at most `limit` bytes. A longer one is refused as soon as its length is known. `hold` counts the bytes
 * of a large body before they are received, and throws if there are too many.
 */
export function readBytes(
  request: IncomingMessage,
  response: Pick<ServerResponse, "writeContinue">,
  limit: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => new Problem("tooLarge", `The request body has more than ${limit} bytes.`);
    const announced = announcedLength(request);
    if (announced === 0) return resolve(none);
    const isChunked = announced === Number.POSITIVE_INFINITY;
    if (announced > limit && !isChunked) return reject(tooLarge());
    if (announced > largeBody && !isChunked) hold(announced);
    // 100 Continue is sent only now, when caller and size are known.
    if (/^100-continue$/i.test(request.headers.expect ?? "")) response.writeContinue();
    const chunks: Buffer[] = [];
    let size = 0;
    let held = isChunked ? largeBody : announced;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return reject(tooLarge());
      try {
        for (; size > held; held += bodyStep) hold(bodyStep);
      } catch (error) {
        // The rest of the body is not kept.
        limit = 0;
        chunks.length = 0;
        return reject(error);
      }
      chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // `complete` is checked first: every request emits `close`, and creating an unused error costs more than reading a
    // small body.
    request.on("close", () => request.complete || reject(new ClientDisconnected()));
    request.on("error", () => reject(new ClientDisconnected()));
  });
}
