import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { prepareArchive } from "./archive.ts";
import { prepareCatalog, prepareJars, sparkHome } from "./jars.ts";
import { prepareJava } from "./java.ts";
import { preparePython } from "./python.ts";

/** Installs missing software that Spark needs. Returns the environment variables that the suites read. */
export async function prepareSpark(folder: string): Promise<NodeJS.ProcessEnv> {
  if (process.platform === "win32") throw new Error("Spark's file access needs Linux, macOS or WSL.");
  await mkdir(folder, { recursive: true });
  // Checkouts that share the folder by a link share the archive of classes, which contains the paths of jars.
  const root = await realpath(folder);
  const [environment, jars, catalog] = [
    join(root, "spark"),
    join(root, "spark-jars"),
    join(root, "spark-catalog"),
  ];
  const python = await preparePython(environment);
  const java = await prepareJava();
  await prepareJars(jars, python, java);
  await prepareCatalog(catalog, jars, python, java);
  const archive = await prepareArchive(jars, python, java);
  return {
    JAVA_HOME: java.home,
    TEST_SPARK_PYTHON: python,
    TEST_SPARK_HOME: sparkHome(python),
    TEST_SPARK_JARS: jars,
    TEST_SPARK_CATALOG: catalog,
    TEST_SPARK_ARCHIVE: archive,
  };
}
