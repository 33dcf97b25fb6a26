import type { Dependencies } from "../../core/dependencies.ts";
import type { AreUnconfined } from "../agents/source-path.ts";
import type { CodeAt } from "./code-guard.ts";
import { type FilesOptions, openFiles } from "./files.ts";
import { fileHandlers } from "./routes.ts";
import type { RequireAllowed } from "./write-guard.ts";

interface FilesModuleOptions extends FilesOptions {
  /** The agent or app that has its code at a path. */
  readonly codeAt: CodeAt;
  readonly areUnconfined: AreUnconfined;
  readonly requireAllowed: RequireAllowed;
}

export async function filesModule(deps: Dependencies, options: FilesModuleOptions) {
  const { environments, codeAt, areUnconfined, requireAllowed } = options;
  const rules = await openFiles(deps, options);
  return {
    rules,
    handlers: fileHandlers(rules, environments, { codeAt, areUnconfined, requireAllowed }),
    outbox: rules.outbox,
    takeOver: rules.recover,
  };
}
