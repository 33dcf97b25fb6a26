import { templates } from "@lakehelm/codegen";
import type { GeneratorName } from "@lakehelm/codegen/generators";
import type { CodegenResponse, endpoints } from "@lakehelm/contract";
import type { TableName } from "@lakehelm/sql/names";
import { unreadable } from "../../core/errors.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { generationContextOf } from "../../runtime/platforms/generation-context.ts";
import { describeTable } from "../../runtime/platforms/table-metadata.ts";
import type { Call, HandlerResult, Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { CodeGenerator } from "./generator.ts";

type Routes = GeneratorName | "listCodegenTemplates";

export function codegenHandlers(
  environments: Environments,
  generator: CodeGenerator,
): Handlers<Pick<typeof endpoints, Routes>> {
  const generate = (name: GeneratorName) => async (call: Call<(typeof endpoints)[GeneratorName]>) => {
    // An invalid body is reported before an invalid environment; both are checked concurrently.
    const env = await environments.actIn(call.header("x-environment-id")).catch((error: Error) => error);
    const generation = env instanceof Error ? undefined : generationContextOf(env.environment);
    const context = generation && "context" in generation ? generation.context : undefined;
    const result = await generator.generate(
      { generator: name, bytes: call.body, contentType: call.header("content-type"), context },
      (table) => describe(env as EnvironmentContext, table),
    );
    if ("errors" in result) return result;
    if ("unreadable" in result) throw unreadable(result.unreadable);
    if ("failed" in result) throw new Error(result.failed);
    if (env instanceof Error) throw env;
    if ("text" in result) return { text: result.text } as HandlerResult<CodegenResponse>;
    const errors = generation && "errors" in generation ? generation.errors : [];
    return { body: { status: "error" as const, artifacts: [], errors } };
  };
  return {
    generateAlterMetadata: generate("generateAlterMetadata"),
    generateConsumption: generate("generateConsumption"),
    generateConnector: generate("generateConnector"),
    listCodegenTemplates: async () => ({ body: { templates, total: templates.length } }),
  };
}

const describe = ({ platform, environment }: EnvironmentContext, table: TableName) =>
  describeTable(platform, environment.id, table);
