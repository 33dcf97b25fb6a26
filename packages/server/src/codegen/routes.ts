import type { CodegenResponse, endpoints } from "@lakehelm/contract";
import type { Environments } from "../environments/environments.ts";
import type { Call, Handlers } from "../http/handler.ts";

type Routes = "generateAlterMetadata" | "generateConsumption" | "generateConnector";

const notYet: CodegenResponse = {
  status: "error",
  artifacts: [],
  errors: ["Code generation is not part of this version of Lakehelm yet."],
};

export function codegenHandlers(environments: Environments): Handlers<Pick<typeof endpoints, Routes>> {
  const refuse = async (call: Pick<Call, "header">) => {
    await environments.actIn(call.header("x-environment-id"));
    return { body: notYet };
  };
  return { generateAlterMetadata: refuse, generateConsumption: refuse, generateConnector: refuse };
}
