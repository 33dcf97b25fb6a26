import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Runs a setup step unless its marker file shows that it was done with the same inputs. The marker is written last, so an
 * interrupted step runs again.
 */
export async function once(
  marker: string,
  inputs: readonly string[],
  message: string,
  work: () => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  if ((await readFile(marker, "utf8").catch(() => "")) === hash) return;
  const start = performance.now();
  console.log(message);
  await work();
  await mkdir(dirname(marker), { recursive: true });
  await writeFile(marker, hash);
  console.log(`  done in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
