import type { Quota } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { StoredQuotas } from "../../core/store/stored-quotas.ts";
import { scopeOfCaller, server } from "../../core/store/stored-scopes.ts";
import { createStoredUsageRows } from "../../core/store/stored-usage-rows.ts";

/** The quotas that a caller sees. */
interface VisibleQuotas {
  /** Undefined: all environments. */
  readonly environmentIds: readonly string[] | undefined;
  readonly withServer: boolean;
  /** Undefined: all identities. */
  readonly caller: string | undefined;
}

export interface Quotas {
  /**
   * The quotas of resources and definitions. Each write updates their rows, of which there are a few for each
   * environment and identity.
   */
  read(visible: VisibleQuotas): Promise<Quota[]>;
}

const unlimited = Number.MAX_SAFE_INTEGER;

export function createQuotas({ store }: Pick<Dependencies, "store">, limits: StoredQuotas): Quotas {
  const rows = createStoredUsageRows(store);

  function found({ environmentIds, withServer, caller }: VisibleQuotas) {
    const [only, ...others] = environmentIds ?? [];
    if (only === undefined || others.length > 0 || withServer || caller === undefined) return rows.all();
    return rows.ofScopes(`environment/${only}`, scopeOfCaller(caller));
  }

  return {
    async read(visible) {
      const { environmentIds, withServer, caller } = visible;
      const environments = environmentIds && new Set(environmentIds);
      const quotas: Quota[] = [];
      for (const { scope, kind, n, bytes } of await found(visible)) {
        const owner = ownerOf(scope);
        const isSeen = {
          environment: () => !environments || environments.has(owner.environment_id ?? ""),
          server: () => withServer,
          caller: () => caller === undefined || owner.caller === caller,
        }[owner.scope];
        if (!isSeen()) continue;
        const quota = limits.of(scope, kind);
        const { settings } = limits.describe(scope, kind);
        const add = (name: string, used: number, limit: number | undefined, setting: string | undefined) => {
          if (setting === undefined) return;
          quotas.push({
            ...owner,
            name,
            used,
            limit: limit === undefined || limit === unlimited ? null : limit,
            setting,
          });
        };
        add(kind || "resources", n, quota?.n, settings.n);
        add(kind === "files" ? "file_bytes" : "stored_bytes", bytes, quota?.bytes, settings.bytes);
      }
      return quotas;
    },
  };
}

function ownerOf(scope: string): Pick<Quota, "scope" | "environment_id" | "caller"> {
  const name = scope.slice(scope.indexOf("/") + 1);
  if (scope === server) return { scope: "server", environment_id: null, caller: null };
  return scope.startsWith("caller/")
    ? { scope: "caller", environment_id: null, caller: name }
    : { scope: "environment", environment_id: name, caller: null };
}

/** How full a quota is, from 0 to 1 or more. */
export const shareOf = ({ used, limit }: Pick<Quota, "used" | "limit">): number =>
  limit === null || limit === 0 ? 0 : used / limit;
