import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, run, runWithRetries } from "./commands.ts";
import type { Java } from "./java.ts";
import { once } from "./steps.ts";

const ivyFile = fileURLToPath(new URL("ivy.xml", import.meta.url));
const catalogFile = fileURLToPath(new URL("NamedCatalog.scala", import.meta.url));

/**
 * Puts Delta, the JDBC driver and our catalog class into one folder. Ivy and the Scala compiler are among Spark's own jars, so
 * this needs nothing but Java.
 */
export async function prepareJars(folder: string, python: string, java: Java): Promise<void> {
  const jvm = join(java.home, "bin", "java");
  const [list, source] = [await readFile(ivyFile, "utf8"), await readFile(catalogFile, "utf8")];
  const names = [...list.matchAll(/ name="([^"]+)" rev="([^"]+)"/g)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  await once(
    join(folder, "ready"),
    [list, source],
    `Downloading ${names.join(", ")} into ${folder}.`,
    async () => {
      await rm(folder, { recursive: true, force: true });
      const sparkJars = outputOf(python, [
        "-c",
        "import os, pyspark; print(os.path.dirname(pyspark.__file__))",
      ]);
      if (sparkJars === undefined) throw new Error(`pyspark is not installed for ${python}.`);
      const everySparkJar = join(sparkJars, "jars", "*");
      await runWithRetries(jvm, [
        ...["-cp", everySparkJar, "org.apache.ivy.Main", "-ivy", ivyFile, "-cache", join(folder, "cache")],
        ...["-retrieve", join(folder, "[artifact]-[revision].[ext]")],
      ]);
      await rm(join(folder, "cache"), { recursive: true });
      await run(jvm, [
        ...["-XX:TieredStopAtLevel=1", "-cp", everySparkJar, "scala.tools.nsc.Main"],
        ...["-classpath", `${everySparkJar}:${join(folder, "*")}`],
        ...["-d", join(folder, "named-catalog.jar"), catalogFile],
      ]);
    },
  );
}
