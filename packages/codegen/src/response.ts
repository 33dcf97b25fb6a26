import type {
  CodegenResponse,
  ConsumptionFlowInput,
  GlossaryUpdateInput,
  IngestionFlowInput,
  ReverseEtlFlowInput,
} from "@lakehelm/contract";
import { loadSqlParser } from "@lakehelm/sql";
import type { TableName } from "@lakehelm/sql/names";
import type { Artifact, GenerationResult } from "./artifact.ts";
import { generateConsumption } from "./consumption/consumption-generator.ts";
import { knownColumns } from "./consumption/known-columns.ts";
import { type Proof, proveArtifacts } from "./evidence/proof.ts";
import { textsIn } from "./evidence/yaml/substitution.ts";
import { contextProblems, type GenerationContext } from "./generation-context.ts";
import { generateIngestion } from "./ingestion/ingestion-generator.ts";
import { generateMetadata } from "./metadata/metadata-generator.ts";
import { metadataFailures } from "./metadata/read-back-check.ts";
import type { TableMetadata } from "./metadata/table-metadata.ts";
import { taggedColumns } from "./reverse-etl/personal-columns.ts";
import { generateReverseEtl } from "./reverse-etl/reverse-etl-generator.ts";
import { isMarked } from "./text/name-marks.ts";

/** The validated request body of each generator. */
export interface GenerationRequests {
  readonly generateAlterMetadata: GlossaryUpdateInput;
  readonly generateConsumption: ConsumptionFlowInput;
  readonly generateConnector: IngestionFlowInput | ReverseEtlFlowInput;
}
export type GeneratorName = keyof GenerationRequests;

/** Reads the metadata of a table from the platform's catalog. */
export type DescribeTable = (table: TableName) => Promise<TableMetadata | undefined>;

/** The response: artifacts that have passed all checks, or all errors. */
export async function generateResponse<G extends GeneratorName>(
  generator: G,
  request: GenerationRequests[G],
  context: GenerationContext,
  describe: DescribeTable,
): Promise<CodegenResponse> {
  const problems = [...contextProblems(context), ...markProblems(request)];
  if (problems.length > 0) return errorResponse(problems);
  const result = await generate(generator, request, context, describe);
  if (result.errors) return errorResponse(result.errors);

  const { proofs, failures } = proveArtifacts(result.artifacts, await loadSqlParser(), result.withheld ?? []);
  const all = [...failures, ...(result.ownCheck?.failures ?? [])];
  if (all.length > 0) return errorResponse([failedChecks, ...all]);
  const encoded = "encode_artifacts" in request && request.encode_artifacts;
  return {
    status: "success",
    artifacts: result.artifacts.map(({ path, content, fileType }: Artifact, at) => ({
      path,
      content: encoded ? Buffer.from(content, "utf8").toString("base64") : content,
      file_type: fileType,
      encode_artifacts: encoded,
      is_base64: encoded,
      metadata: {
        ...proofs[at],
        ...(result.ownCheck && { checks: withOwnCheck(proofs[at], result.ownCheck.detail(path)) }),
      },
    })),
    errors: [],
  };
}

/**
 * The marks for catalog and schema are lone surrogates, which are refused in requests because no artifact can contain
 * them.
 */
const markProblems = (request: object): string[] =>
  [...textsIn(request, "")]
    .filter(([, text]) => isMarked(text))
    .map(([path]) => `${path}: the text contains an unpaired surrogate.`);

const withOwnCheck = (proof: Proof | undefined, detail: string) => [
  ...(proof?.checks ?? []),
  { check: "request", detail },
];

const failedChecks =
  "The generated files failed their checks, so none is returned. This is a bug in Lakehelm: please report it.";

const errorResponse = (errors: readonly string[]): CodegenResponse => ({
  status: "error",
  artifacts: [],
  errors: [...errors],
});

/** Generates the artifacts without checking them. */
export const generate = <G extends GeneratorName>(
  generator: G,
  request: GenerationRequests[G],
  context: GenerationContext,
  describe: DescribeTable,
): Promise<GeneratorResult> => generators[generator](request, context, describe);

/** The artifacts, the secret values that they must not contain, and the result of the generator's own check. */
type GeneratorResult = GenerationResult & {
  readonly withheld?: readonly string[];
  readonly ownCheck?: {
    readonly failures: readonly string[];
    /** The detail of the generator's own check, by the path of the artifact. */
    readonly detail: (path: string) => string;
  };
};

const readBackDetail = (path: string) =>
  path.endsWith("/undo.sql")
    ? "Parsed again, the statements change nothing that the request does not change."
    : "Parsed again, the statements make the requested changes and no others.";

const generators: {
  readonly [G in GeneratorName]: (
    request: GenerationRequests[G],
    context: GenerationContext,
    describe: DescribeTable,
  ) => Promise<GeneratorResult>;
} = {
  async generateAlterMetadata(request, context, describe) {
    const { catalog_name: catalog, schema_name: schema, table_name: table } = request;
    const result = generateMetadata(request, context, await describe({ catalog, schema, table }));
    if (!result.artifacts) return result;
    const failures = metadataFailures(request, result.artifacts);
    return { ...result, ownCheck: { failures, detail: readBackDetail } };
  },
  generateConsumption: async (request, context, describe) =>
    generateConsumption(
      request,
      context,
      await loadSqlParser(),
      await knownColumns(request, context, describe),
    ),
  generateConnector: async (request, context, describe) =>
    "connection" in request
      ? generateIngestion(request, context)
      : generateReverseEtl(request, context, await taggedColumns(request, context, describe)),
};
