/** The worker thread of the translator. */
import { parentPort } from "node:worker_threads";
import { DataProblem } from "../../protocol/problem.ts";
import { translate } from "./translation.ts";
import type { TranslationRequest, TranslationResponse } from "./translator.ts";

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
