import type { Dependencies } from "../../core/dependencies.ts";
import type { Environments } from "../environments/environments.ts";
import { openFiles } from "./files.ts";
import type { CodeAt } from "./guarding.ts";
import { fileHandlers } from "./routes.ts";

interface Uses {
  readonly environments: Environments;
  /** Which agent or app has its code at a path. */
  readonly codeAt: CodeAt;
}

export async function filesModule(deps: Dependencies, { environments, codeAt }: Uses) {
  const rules = await openFiles(deps, environments);
  return { rules, handlers: fileHandlers(rules, environments, codeAt), takeOver: rules.finishFiles };
}
