import type {
  CodegenResponse,
  ConsumptionFlowInput,
  GlossaryUpdateInput,
  IngestionFlowInput,
  ReverseEtlFlowInput,
} from "@lakehelm/contract";
import type { Artifact, Generated } from "./artifact.ts";
import { generateConsumption } from "./consumption/generate.ts";
import { prove } from "./evidence/prove.ts";
import { generateIngestion } from "./ingestion/generate.ts";
import { metadataFailures } from "./metadata/evidence.ts";
import { generateMetadata } from "./metadata/generate.ts";
import type { KnownTable } from "./metadata/known.ts";
import type { TableName } from "./names.ts";
import { type Place, placeProblems } from "./place.ts";
import { generateReverseEtl } from "./reverse-etl/generate.ts";
import { loadSql } from "./sql/load.ts";

/** The validated body of each endpoint that generates. */
export interface Requests {
  readonly generateAlterMetadata: GlossaryUpdateInput;
  readonly generateConsumption: ConsumptionFlowInput;
  readonly generateConnector: IngestionFlowInput | ReverseEtlFlowInput;
}
export type Generator = keyof Requests;

/** What the platform's catalog knows of a table. */
export type Describe = (table: TableName) => Promise<KnownTable | undefined>;

/** The whole answer: artifacts that have passed every check, or every reason why there are none. */
export async function respond<G extends Generator>(
  generator: G,
  request: Requests[G],
  place: Place,
  describe: Describe,
): Promise<CodegenResponse> {
  const problems = placeProblems(place);
  if (problems.length > 0) return refusal(problems);
  const made = await generate(generator, request, place, describe);
  if (made.errors) return refusal(made.errors);

  const { proofs, failures } = prove(made.artifacts, await loadSql(), made.withheld ?? []);
  const all = [...failures, ...(made.failures ?? [])];
  // Not the caller's mistake, but nothing unproven is handed out.
  if (all.length > 0) return refusal(all);
  const encoded = "encode_artifacts" in request && request.encode_artifacts;
  return {
    status: "success",
    artifacts: made.artifacts.map(({ path, content, fileType }: Artifact, at) => ({
      path,
      content: encoded ? Buffer.from(content, "utf8").toString("base64") : content,
      file_type: fileType,
      encode_artifacts: encoded,
      is_base64: encoded,
      metadata: { ...proofs[at] },
    })),
    errors: [],
  };
}

const refusal = (errors: readonly string[]): CodegenResponse => ({
  status: "error",
  artifacts: [],
  errors: [...errors],
});

/** The artifacts before they are proven. */
export const generate = <G extends Generator>(
  generator: G,
  request: Requests[G],
  place: Place,
  describe: Describe,
): Promise<Made> => generators[generator](request, place, describe);

/** What was generated, the secret values that must not be in it, and what a check of its own found wrong. */
type Made = Generated & { readonly withheld?: readonly string[]; readonly failures?: readonly string[] };

const generators: {
  readonly [G in Generator]: (request: Requests[G], place: Place, describe: Describe) => Promise<Made>;
} = {
  async generateAlterMetadata(request, place, describe) {
    const { catalog_name: catalog, schema_name: schema, table_name: table } = request;
    const made = generateMetadata(request, place, await describe({ catalog, schema, table }));
    return made.artifacts ? { ...made, failures: metadataFailures(request, made.artifacts) } : made;
  },
  generateConsumption: async (request, place) => generateConsumption(request, place, await loadSql()),
  generateConnector: async (request, place) =>
    "connection" in request ? generateIngestion(request, place) : generateReverseEtl(request, place),
};
