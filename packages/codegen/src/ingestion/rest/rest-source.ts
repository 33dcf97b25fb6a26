import { readConfig, readPaging, restDatasetProblem, restFields } from "@lakehelm/contract/connections";
import { hidden, shown, trimEnd } from "@lakehelm/contract/text";
import { pythonConfig } from "../../connector/secret-references.ts";
import { pythonString, pythonValue } from "../../text/python.ts";
import { jsonTypesCode } from "../json-types-code.ts";
import type { SourceKind } from "../source-kind.ts";
import { watermarkCode } from "../watermark-code.ts";
import { writeCode } from "../write-code.ts";
import { pagingCode } from "./paging-code.ts";
import { fetchCode, newestWatermarkCode, recordsCode, rowsCode } from "./rest-code.ts";

export const restSource: SourceKind = (config, tables, context) => {
  const { values, problems } = readConfig(restFields, config, "connection.config");
  const { url, headers, records_path: recordsPath, watermark_param: watermarkParam } = values;
  const pageSize = values.page_size ?? values.batch_size;
  const paging = readPaging(values.paging, problems);
  if (paging.morePath !== null)
    problems.push("connection.config.paging.more_path: generated code does not have it. Leave it out.");
  const unavailable = ["auth", "requests", "requests_per_second"] as const;
  for (const key of unavailable.filter((one) => (values[one] ?? null) !== null)) {
    problems.push(
      `connection.config.${key}: generated code does not have it. ${key === "auth" ? "Put a token into headers, or use" : "Use"} a connector on the embedded platform.`,
    );
  }

  const datasets = tables.map(({ source, field }) => {
    const problem = datasetProblem(source);
    if (problem) problems.push(`${field}: the source_dataset ${shown(source)} cannot be used: ${problem}`);
    return `${trimEnd(url, /\//)}/${source.replace(/^\/+/, "")}`;
  });

  const fixed = pageSize === undefined ? {} : { [paging.sizeParameter]: pageSize };
  const watermark = watermarkCode(tables, context, newestWatermarkCode);
  const settings = [
    `HEADERS = ${pythonConfig({ Accept: "application/json", ...headers })}`,
    ...(Object.keys(fixed).length > 0 ? [`PARAMETERS = ${pythonValue(fixed)}`] : []),
    ...(watermarkParam !== undefined && watermark.cells.length > 0
      ? [`WATERMARK_PARAMETER = ${pythonString(watermarkParam)}`]
      : []),
  ];
  return {
    imports: [
      "import email.utils",
      "import http.client",
      "import json",
      "import time",
      "import urllib.error",
      "import urllib.parse",
      "import urllib.request",
    ],
    datasets,
    folder: null,
    problems,
    statements: watermark.statements,
    cells: [
      { title: "Requests", code: `${settings.join("\n")}\n\n\n${fetchCode}` },
      {
        title: "Pages and records",
        code: [recordsCode(recordsPath?.split(".") ?? []), pagingCode(paging)].join("\n\n\n"),
      },
      {
        title: "Rows",
        code: [
          jsonTypesCode(false),
          rowsCode(tables, {
            hasParameters: pageSize !== undefined,
            sendsWatermark: watermarkParam !== undefined && watermark.cells.length > 0,
          }),
        ].join("\n\n\n"),
      },
      ...watermark.cells,
      { title: "Writing", code: writeCode(tables, { ofRecords: true }) },
    ],
  };
};

const datasetProblem = (dataset: string) =>
  hidden.test(dataset) ? "it contains an invisible character." : restDatasetProblem(dataset);
