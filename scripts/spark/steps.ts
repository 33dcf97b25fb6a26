import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Does a step of the set-up unless its marker says that it was done with the same ingredients. The marker is written
 * last, so that a step that was cut off is done again.
 */
export async function once(
  marker: string,
  ingredients: readonly string[],
  sentence: string,
  work: () => Promise<void>,
): Promise<void> {
  const wanted = createHash("sha256").update(JSON.stringify(ingredients)).digest("hex");
  if ((await readFile(marker, "utf8").catch(() => "")) === wanted) return;
  const start = performance.now();
  console.log(sentence);
  await work();
  await mkdir(dirname(marker), { recursive: true });
  await writeFile(marker, wanted);
  console.log(`  done in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
