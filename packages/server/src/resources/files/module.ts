import type { Dependencies } from "../../core/dependencies.ts";
import type { CodeAt } from "./code-guard.ts";
import { type FilesOptions, openFiles } from "./files.ts";
import { fileHandlers } from "./routes.ts";

interface FilesModuleOptions extends FilesOptions {
  /** The agent or app that has its code at a path. */
  readonly codeAt: CodeAt;
}

export async function filesModule(deps: Dependencies, options: FilesModuleOptions) {
  const { environments, codeAt } = options;
  const rules = await openFiles(deps, options);
  return {
    rules,
    handlers: fileHandlers(rules, environments, codeAt),
    outbox: rules.outbox,
    takeOver: rules.recover,
  };
}
