/** The worker thread of the translator. */
import { parentPort } from "node:worker_threads";
import { loadSqlParser } from "@lakehelm/sql";
import { DataProblem } from "../../protocol/problem.ts";
import { translate } from "./translation.ts";
import { type TranslationRequest, type TranslationResponse, translatorReady } from "./translator.ts";

await loadSqlParser();

parentPort?.on("message", async ({ id, text }: TranslationRequest) => {
  const answer: TranslationResponse = await translate(text).then(
    (sql) => ({ id, sql }),
    (error) =>
      error instanceof DataProblem
        ? { id, problem: error.message, position: error.position }
        : { id, fault: String(error?.stack ?? error) },
  );
  parentPort?.postMessage(answer);
});
parentPort?.postMessage(translatorReady);
