import { encodeJson } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import { generationContextOf } from "../../runtime/platforms/generation-context.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Judge } from "./flows.ts";

/**
 * A definition is valid if code can be generated for it. The check runs on the generator's thread: parsing SQL would
 * block other requests for too long.
 */
export const validateByGenerating =
  (generator: CodeGenerator): Judge =>
  async (definition, { environment }) => {
    const surroundings = generationContextOf(environment);
    if ("errors" in surroundings) throw conflict(surroundings.errors.join(" "));
    const answered = await generator.ask(
      {
        generator: "generateConsumption",
        bytes: Buffer.from(encodeJson(definition)),
        contentType: "application/json",
        place: surroundings.context,
      },
      async () => undefined,
    );
    if (!("text" in answered)) throw new Error("The generator could not read a definition that was valid.");
    const { errors } = JSON.parse(answered.text) as { readonly errors: readonly string[] };
    if (errors.length > 0) throw conflict(errors.join(" "));
  };
