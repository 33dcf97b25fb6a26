import type { GenerationContext, TableMetadata } from "@lakehelm/codegen";
import type { GeneratorName } from "@lakehelm/codegen/generators";
import type { CodegenResponse } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { TableName } from "@lakehelm/sql/names";
import type { CodeGenerator } from "./generator.ts";

/** Generates code for a request that this server has made itself. */
export async function generateCode(
  generator: Pick<CodeGenerator, "generate">,
  name: GeneratorName,
  request: object,
  context: GenerationContext,
  describe: (table: TableName) => Promise<TableMetadata | undefined>,
): Promise<CodegenResponse> {
  const bytes = Buffer.from(encodeJson(request));
  const result = await generator.generate(
    { generator: name, bytes, contentType: "application/json", context },
    describe,
  );
  if ("text" in result) return JSON.parse(result.text) as CodegenResponse;
  if ("errors" in result) {
    const errors = result.errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}.`);
    return { status: "error", artifacts: [], errors };
  }
  throw new Error("The code generator could not read a request of this server.");
}
