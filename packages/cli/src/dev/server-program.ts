import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Failure } from "../failure.ts";

const program = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));

/** The file to start a server with. */
export function serverProgram(): string {
  if (existsSync(program)) return program;
  throw new Failure(
    "The server is not installed beside this command: run it in the workspace of Lakehelm, or install the package lakehelm.",
  );
}
