/** The thread that translates. */
import { parentPort } from "node:worker_threads";
import { DataProblem } from "../../protocol/problem.ts";
import { translate } from "./translate.ts";
import type { ToTranslate, Translated } from "./translation.ts";

parentPort?.on("message", async ({ id, text }: ToTranslate) => {
  const answer: Translated = await translate(text).then(
    (sql) => ({ id, sql }),
    (error) =>
      error instanceof DataProblem
        ? { id, problem: error.message, position: error.position }
        : { id, fault: String(error?.stack ?? error) },
  );
  parentPort?.postMessage(answer);
});
