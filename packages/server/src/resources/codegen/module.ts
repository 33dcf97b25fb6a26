import type { Dependencies } from "../../core/dependencies.ts";
import type { Environments } from "../environments/environments.ts";
import { createCodeGenerator } from "./generator.ts";
import { codegenHandlers } from "./routes.ts";

export function codegenModule(
  { settings }: Dependencies,
  { environments }: { readonly environments: Environments },
) {
  const generator = createCodeGenerator(settings.PLATFORM_CODEGEN_TIMEOUT_MS);
  return { generator, handlers: codegenHandlers(environments, generator), close: () => generator.close() };
}
