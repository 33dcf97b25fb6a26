import { encodeJson } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import { generationContextOf } from "../../runtime/platforms/generation-context.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { ValidateFlow } from "./flows.ts";

/**
 * A definition is valid if code can be generated for it. The check runs on the generator's thread: parsing SQL would
 * block other requests for too long.
 */
export const validateByGenerating =
  (generator: CodeGenerator): ValidateFlow =>
  async (definition, { environment }) => {
    const generation = generationContextOf(environment);
    if ("errors" in generation) throw conflict(generation.errors.join(" "));
    const result = await generator.generate(
      {
        generator: "generateConsumption",
        bytes: Buffer.from(encodeJson(definition)),
        contentType: "application/json",
        context: generation.context,
      },
      async () => undefined,
    );
    if (!("text" in result)) throw new Error("The code generator could not read a valid definition.");
    const { errors } = JSON.parse(result.text) as { readonly errors: readonly string[] };
    if (errors.length > 0) throw conflict(errors.join(" "));
  };
