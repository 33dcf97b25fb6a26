import type { StoredQuotas } from "../../core/store/stored-quotas.ts";
import type { Quota } from "../../web/http/quota.ts";
import { type Quotas, shareOf } from "./quotas.ts";

/** Limits the number of series: only the fullest quotas of environments and identities have one. */
const most = 500;

/** How full the quotas of environments and identities are. */
export async function storedQuotas(
  quotas: Quotas,
  environmentName: (id: string) => Promise<string | undefined>,
): Promise<Quota[]> {
  const all = await quotas.read({ environmentIds: undefined, withServer: true, caller: undefined });
  const fullest = all.sort((one, other) => shareOf(other) - shareOf(one)).slice(0, most);
  const ids = new Set(fullest.flatMap(({ environment_id: id }) => id ?? []));
  const names = new Map<string, string>();
  for (const id of ids) names.set(id, (await environmentName(id)) ?? id);
  return fullest.map(({ scope, environment_id: id, caller, name, used, limit }) => ({
    name: `${name}_per_${scope}`,
    ...(id !== null && { of: { environment: names.get(id) ?? id } }),
    ...(caller !== null && { of: { caller } }),
    used,
    limit: limit ?? 0,
  }));
}

/** Refusals since the start, by the setting with the limit. */
export const refusedWrites = (quotas: StoredQuotas): Quota[] =>
  [...quotas.refused()].map(([setting, refused]) => ({ name: "stored", of: { setting }, refused }));
