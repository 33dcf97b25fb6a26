import { isSecretKey, readPaging } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import { pythonConfig } from "../../connector/secret-references.ts";
import { pythonString, pythonValue } from "../../text/python.ts";
import { jsonTypesCode } from "../json-types-code.ts";
import type { SourceKind } from "../source-kind.ts";
import { marks } from "../watermark-code.ts";
import { writing } from "../write-code.ts";
import { pagingCode } from "./paging-code.ts";
import { fetchCode, newestMarkCode, recordsCode, rowsCode } from "./rest-code.ts";

export const restSource: SourceKind = (config, tables, around) => {
  const url = config.plain("url") ?? "";
  if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) || URL.parse(url) === null) {
    config.problems.push("connection.config.url: expected an address such as https://api.example.com/v1.");
  }
  const headers = config.options("headers");
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[^\t -~\u00a0-\u00ff]/.test(value)) {
      config.problems.push(`connection.config.headers: ${shown(name)} cannot be sent as a header.`);
    }
  }
  const recordsPath = config.plain("records_path");
  const pageSize = config.count("page_size", 1, 1_000_000) ?? config.count("batch_size", 1, 1_000_000);
  const watermarkParam = config.plain("watermark_param");
  const paging = readPaging(config.value("paging"), config.problems);
  const pagingKeys = ["records_path", "paging", "page_size", "batch_size", "watermark_param"];
  config.refuseMisspelt(["url", "headers", ...pagingKeys]);

  const datasets = tables.map(({ source, place }) => {
    const problem = datasetProblem(source);
    if (problem)
      config.problems.push(`${place}: the source_dataset ${shown(source)} cannot be used: ${problem}`);
    return `${url.replace(/\/+$/, "")}/${source.replace(/^\/+/, "")}`;
  });

  const fixed = pageSize === undefined ? {} : { [paging.sizeParameter]: pageSize };
  const marked = marks(tables, around, newestMarkCode);
  const settings = [
    `HEADERS = ${pythonConfig({ Accept: "application/json", ...headers })}`,
    ...(Object.keys(fixed).length > 0 ? [`PARAMETERS = ${pythonValue(fixed)}`] : []),
    ...(watermarkParam !== undefined && marked.cells.length > 0
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
      ...(paging.type === "link" && paging.nextPath === null ? ["import re"] : []),
    ],
    datasets,
    folder: null,
    problems: config.problems,
    statements: marked.statements,
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
            sendsMark: watermarkParam !== undefined && marked.cells.length > 0,
          }),
        ].join("\n\n\n"),
      },
      ...marked.cells,
      { title: "Writing", code: writing(tables, { ofRecords: true }) },
    ],
  };
};

/** It stays below the connection's address, and carries no credentials. */
function datasetProblem(dataset: string): string | undefined {
  if (dataset === "" || hidden.test(dataset) || /[\s\\#]/.test(dataset)) {
    return "expected a path below the connection's url, without blanks, backslashes and #.";
  }
  const [path = "", query = ""] = dataset.split("?");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//")) return "it is an address of its own.";
  if (/(^|\/)(\.|%2e){2}(\/|$)/i.test(path)) return "it leaves the connection's url.";
  if ([...new URLSearchParams(query).keys()].some(isSecretKey)) {
    return "a secret may not stand in an address. Put it into connection.config.headers.";
  }
  return undefined;
}
