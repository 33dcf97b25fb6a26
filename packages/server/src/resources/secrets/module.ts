import type { Dependencies } from "../../core/dependencies.ts";
import type { Environments } from "../environments/environments.ts";
import { secretHandlers } from "./routes.ts";
import { createSecretStore } from "./secret-store.ts";

export function secretsModule(deps: Dependencies, { environments }: { readonly environments: Environments }) {
  const rules = createSecretStore(deps, environments);
  return { rules, handlers: secretHandlers(rules, environments) };
}
