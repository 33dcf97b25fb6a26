import type { Dependencies } from "../../core/dependencies.ts";
import type { Environments } from "../environments/environments.ts";
import { type CodeGenerator, createCodeGenerator } from "./generator.ts";
import { codegenHandlers } from "./routes.ts";

export function codegenModule(
  { settings }: Dependencies,
  {
    environments,
    generator: shared,
  }: { readonly environments: Environments; readonly generator?: CodeGenerator | undefined },
) {
  const generator =
    shared ?? createCodeGenerator(settings.PLATFORM_CODEGEN_TIMEOUT_MS, settings.PLATFORM_CODEGEN_MEMORY_MB);
  return { generator, handlers: codegenHandlers(environments, generator), close: () => generator.close() };
}
