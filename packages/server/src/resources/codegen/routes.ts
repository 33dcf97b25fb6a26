import { templates } from "@lakehelm/codegen";
import type { GeneratorName } from "@lakehelm/codegen/generators";
import type { CodegenResponse, endpoints } from "@lakehelm/contract";
import type { TableName } from "@lakehelm/sql/names";
import { unreadable } from "../../core/errors.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { generationContextOf } from "../../runtime/platforms/generation-context.ts";
import type { Answer, Call, Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { CodeGenerator } from "./generator.ts";

type Routes = GeneratorName | "listCodegenTemplates";

export function codegenHandlers(
  environments: Environments,
  generator: CodeGenerator,
): Handlers<Pick<typeof endpoints, Routes>> {
  const generate = (name: GeneratorName) => async (call: Call<(typeof endpoints)[GeneratorName]>) => {
    // An invalid body is reported before an invalid environment; both are checked concurrently.
    const acting = await environments.actIn(call.header("x-environment-id")).catch((error: Error) => error);
    const surroundings = acting instanceof Error ? undefined : generationContextOf(acting.environment);
    const place = surroundings && "context" in surroundings ? surroundings.context : undefined;
    const reply = await generator.ask(
      { generator: name, bytes: call.body, contentType: call.header("content-type"), place },
      (table) => describe(acting as EnvironmentContext, table),
    );
    if ("errors" in reply) return reply;
    if ("unreadable" in reply) throw unreadable(reply.unreadable);
    if ("failed" in reply) throw new Error(reply.failed);
    if (acting instanceof Error) throw acting;
    if ("text" in reply) return { text: reply.text } as Answer<CodegenResponse>;
    const errors = surroundings && "errors" in surroundings ? surroundings.errors : [];
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
  platform.describeTable?.(environment.id, table) ?? Promise.resolve(undefined);
