import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, run, runWithRetries } from "./commands.ts";
import { type Java, prepareJava } from "./java.ts";
import { once } from "./steps.ts";

const ivyFile = fileURLToPath(new URL("ivy.xml", import.meta.url));
const ivyFileOfS3 = fileURLToPath(new URL("ivy-s3.xml", import.meta.url));
const catalogFile = fileURLToPath(new URL("NamedCatalog.scala", import.meta.url));
const prefixedCatalogFile = fileURLToPath(new URL("PrefixedCatalog.scala", import.meta.url));

/**
 * Puts Delta, the JDBC driver and our catalog class into one folder. Ivy and the Scala compiler are among Spark's own
 * jars, so this needs only Java.
 */
export async function prepareJars(folder: string, python: string, java: Java): Promise<void> {
  const [list, source] = [await readFile(ivyFile, "utf8"), await readFile(catalogFile, "utf8")];
  const names = [...list.matchAll(/ name="([^"]+)" rev="([^"]+)"/g)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  await once(
    join(folder, "ready"),
    [list, source],
    `Downloading ${names.join(", ")} into ${folder}.`,
    async () => {
      await download(ivyFile, folder, python, java);
      await compile(catalogFile, join(folder, "named-catalog.jar"), { python, java, jars: folder });
    },
  );
}

/** Puts the jars that `s3a://` needs into a separate folder. Returns the folder. */
export async function prepareS3Jars(folder: string, python: string): Promise<string> {
  const list = await readFile(ivyFileOfS3, "utf8");
  const message = `Downloading hadoop-aws and the AWS SDK into ${folder} (10 MB, one minute).`;
  await once(join(folder, "ready"), [list], message, async () =>
    download(ivyFileOfS3, folder, python, await prepareJava()),
  );
  return folder;
}

async function download(list: string, folder: string, python: string, java: Java): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const everySparkJar = join(sparkHome(python), "jars", "*");
  await runWithRetries(join(java.home, "bin", "java"), [
    ...["-cp", everySparkJar, "org.apache.ivy.Main", "-ivy", list, "-cache", join(folder, "cache")],
    ...["-retrieve", join(folder, "[artifact]-[revision].[ext]")],
  ]);
  await rm(join(folder, "cache"), { recursive: true });
}

/** Compiles the catalog with names of three parts into a separate folder, from which clusters copy it. */
export async function prepareCatalog(
  folder: string,
  jars: string,
  python: string,
  java: Java,
): Promise<void> {
  const source = await readFile(prefixedCatalogFile, "utf8");
  await once(join(folder, "ready"), [source], `Compiling PrefixedCatalog into ${folder}.`, async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await compile(prefixedCatalogFile, join(folder, "prefixed-catalog.jar"), { python, java, jars });
  });
}

/** The Spark folder in its Python package. */
export function sparkHome(python: string): string {
  const home = outputOf(python, ["-c", "import os, pyspark; print(os.path.dirname(pyspark.__file__))"]);
  if (home === undefined) throw new Error(`pyspark is not installed for ${python}.`);
  return home;
}

async function compile(
  source: string,
  jar: string,
  { python, java, jars }: { readonly python: string; readonly java: Java; readonly jars: string },
): Promise<void> {
  const everySparkJar = join(sparkHome(python), "jars", "*");
  await run(join(java.home, "bin", "java"), [
    ...["-XX:TieredStopAtLevel=1", "-cp", everySparkJar, "scala.tools.nsc.Main"],
    ...["-classpath", `${everySparkJar}:${join(jars, "*")}`, "-d", jar, source],
  ]);
}
