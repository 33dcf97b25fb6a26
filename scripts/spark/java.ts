import { join } from "node:path";
import { printed, run } from "./commands.ts";

export interface Java {
  readonly home: string;
  readonly version: string;
}

const debianPackages = ["openjdk-17-jre-headless", "openjdk-21-jre-headless"];

/** The Java of this machine if it is new enough for Spark 4, otherwise one that is installed now. */
export async function prepareJava(): Promise<Java> {
  const java = javaOfMachine() ?? (await javaFromDebian());
  if (java) return java;
  // Trimmed Javas, such as Python packages bring along, lack a module that Spark asks for (jdk.incubator.vector).
  throw new Error("Java 17 or newer is needed: install a JRE (such as Temurin 17) and set JAVA_HOME to it.");
}

function javaOfMachine(): Java | undefined {
  const { JAVA_HOME } = process.env;
  return (JAVA_HOME ? javaAt(join(JAVA_HOME, "bin", "java")) : undefined) ?? javaAt("java");
}

function javaAt(program: string): Java | undefined {
  const words = printed(program, ["-XshowSettings:properties", "-version"]);
  const home = words?.match(/^\s*java\.home = (.+)$/m)?.[1];
  const version = words?.match(/^\s*java\.version = ((\d+).*)$/m);
  return home && version?.[1] && Number(version[2]) >= 17 ? { home, version: version[1] } : undefined;
}

async function javaFromDebian(): Promise<Java | undefined> {
  if (process.getuid?.() !== 0 || printed("apt-get", ["--version"]) === undefined) return undefined;
  console.log("No Java 17 or newer here: installing one by apt-get.");
  await run("apt-get", ["update"]).catch(() => {}); // a stale list may do
  for (const name of debianPackages) {
    try {
      await run("apt-get", ["install", "--yes", "--no-install-recommends", name]);
      console.log(`  installed ${name}`);
      return javaAt("java");
    } catch {
      console.log(`  ${name} cannot be had`);
    }
  }
  return undefined;
}
