import { join } from "node:path";
import { outputOf, run } from "./commands.ts";

export interface Java {
  readonly home: string;
  readonly version: string;
}

const debianPackages = ["openjdk-17-jre-headless", "openjdk-21-jre-headless"];

/** Finds a Java that is new enough for Spark 4, or installs one. */
export async function prepareJava(): Promise<Java> {
  const java = installedJava() ?? (await installJava());
  if (java) return java;
  // Reduced JREs, such as those in Python packages, lack a module that Spark needs (jdk.incubator.vector).
  throw new Error(
    "Spark needs Java 17 or newer. Install a JRE, such as Temurin 17, and set JAVA_HOME to it.",
  );
}

function installedJava(): Java | undefined {
  const { JAVA_HOME } = process.env;
  return (JAVA_HOME ? javaAt(join(JAVA_HOME, "bin", "java")) : undefined) ?? javaAt("java");
}

function javaAt(program: string): Java | undefined {
  const properties = outputOf(program, ["-XshowSettings:properties", "-version"]);
  const home = properties?.match(/^\s*java\.home = (.+)$/m)?.[1];
  const version = properties?.match(/^\s*java\.version = ((\d+).*)$/m);
  return home && version?.[1] && Number(version[2]) >= 17 ? { home, version: version[1] } : undefined;
}

async function installJava(): Promise<Java | undefined> {
  if (process.getuid?.() !== 0 || outputOf("apt-get", ["--version"]) === undefined) return undefined;
  console.log("No Java 17 or newer found. Installing one with apt-get.");
  await run("apt-get", ["update"]).catch(() => {}); // an old package list may be enough
  for (const name of debianPackages) {
    try {
      await run("apt-get", ["install", "--yes", "--no-install-recommends", name]);
      console.log(`  installed ${name}`);
      return javaAt("java");
    } catch {
      console.log(`  could not install ${name}`);
    }
  }
  return undefined;
}
