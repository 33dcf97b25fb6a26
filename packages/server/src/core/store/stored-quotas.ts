import type { Settings } from "../../settings.ts";
import { former, isRecord, scopeOfService, server } from "./stored-scopes.ts";

/** The limits of a scope for one kind. */
export interface StoredQuota {
  readonly scope: string;
  readonly kind: string;
  readonly n: number;
  readonly bytes: number;
  readonly settings: { readonly n: QuotaSetting | undefined; readonly bytes: QuotaSetting | undefined };
}

const settingNames = [
  "PLATFORM_ENVIRONMENTS",
  "PLATFORM_RESOURCES_PER_ENVIRONMENT",
  "PLATFORM_RECORDS_PER_ENVIRONMENT",
  "PLATFORM_STORED_MB_PER_ENVIRONMENT",
  "PLATFORM_RESOURCES_PER_CALLER",
  "PLATFORM_STORED_MB_PER_CALLER",
  "PLATFORM_FILES_COUNT_PER_CALLER",
  "PLATFORM_FILES_MB_PER_CALLER",
] as const;

type QuotaSetting = (typeof settingNames)[number];

export type QuotaSettings = Pick<Settings, QuotaSetting>;

interface Amount {
  readonly n: number;
  readonly bytes: number;
}

export interface StoredQuotas {
  /** Undefined: no limit. */
  of(scope: string, kind: string): StoredQuota | undefined;
  /** The settings with the limits; undefined: there is no such limit. */
  describe(scope: string, kind: string): Pick<StoredQuota, "settings">;
  /** Counts a refusal, and says why. */
  refuse(quota: StoredQuota, usage: Amount, asked: Amount): string;
  /** Refusals since the start, by setting. */
  refused(): ReadonlyMap<QuotaSetting, number>;
}

const megabyte = 1024 * 1024;
const unlimited = Number.MAX_SAFE_INTEGER;

export function createStoredQuotas(settings: QuotaSettings): StoredQuotas {
  const refusals = new Map<QuotaSetting, number>(settingNames.map((name) => [name, 0]));
  const known = new Map<string, Omit<StoredQuota, "scope"> | undefined>();

  function settingsOf(isCaller: boolean, kind: string): StoredQuota["settings"] {
    if (isCaller && kind === "files")
      return { n: "PLATFORM_FILES_COUNT_PER_CALLER", bytes: "PLATFORM_FILES_MB_PER_CALLER" };
    if (isCaller) return { n: "PLATFORM_RESOURCES_PER_CALLER", bytes: "PLATFORM_STORED_MB_PER_CALLER" };
    if (kind === "") return { n: undefined, bytes: "PLATFORM_STORED_MB_PER_ENVIRONMENT" };
    if (kind === "environments") return { n: "PLATFORM_ENVIRONMENTS", bytes: undefined };
    const n = isRecord(kind) ? "PLATFORM_RECORDS_PER_ENVIRONMENT" : "PLATFORM_RESOURCES_PER_ENVIRONMENT";
    return { n, bytes: undefined };
  }

  function quotaOf(isCaller: boolean, kind: string): Omit<StoredQuota, "scope"> | undefined {
    const names = settingsOf(isCaller, kind);
    const most = (name: QuotaSetting | undefined, unit: number) =>
      (name && settings[name] * unit) || unlimited;
    const [n, bytes] = [most(names.n, 1), most(names.bytes, megabyte)];
    return n === unlimited && bytes === unlimited ? undefined : { kind, n, bytes, settings: names };
  }

  return {
    of(scope, kind) {
      if (scope === former || scope === scopeOfService) return undefined;
      const isCaller = scope.startsWith("caller/");
      const found = known.getOrInsertComputed(`${isCaller} ${kind}`, () => quotaOf(isCaller, kind));
      return found && { scope, ...found };
    },
    describe: (scope, kind) => ({ settings: settingsOf(scope.startsWith("caller/"), kind) }),
    refuse({ scope, kind, n, bytes, settings: names }, usage, asked) {
      const isNumber = asked.n > 0 && usage.n + asked.n > n;
      const setting = isNumber ? names.n : names.bytes;
      if (setting !== undefined) refusals.set(setting, (refusals.get(setting) ?? 0) + 1);
      const owner = ownerOf(scope);
      const what = isNumber
        ? `${owner} may have ${n} ${kindText(kind)}, and has ${usage.n}`
        : `The ${kind === "files" ? kind : "definitions"} of ${owner} may have ${megabytes(bytes)} together, and have ${megabytes(usage.bytes)}`;
      return `${sentence(what)}: nothing was written. Delete what is no longer used, or ask for a higher ${setting}. GET /api/v1/quotas shows what is used.`;
    },
    refused: () => refusals,
  };
}

function ownerOf(scope: string): string {
  if (scope === server) return "this server";
  return scope.startsWith("caller/") ? scope.slice("caller/".length) : "this environment";
}

/** Capitalizes our own words, but not the name of a user. */
const sentence = (text: string) => (text.startsWith("this ") ? `T${text.slice(1)}` : text);

const kindText = (kind: string): string =>
  kind === "" ? "resources" : kind === "bindings" ? "chat bindings" : kind.replaceAll("_", " ");

const megabytes = (bytes: number): string => `${(bytes / megabyte).toFixed(1).replace(/\.0$/, "")} MB`;
