import type { GenerationContext } from "../../generation-context.ts";

/** How the files of a connector are read, and why. */
export interface FileLoader {
  readonly autoLoader: boolean;
  readonly choices: readonly string[];
}

const cloudStorage = /^(?:s3a?|abfss?|wasbs?|gs|r2):\/\//i;
const volume = /^(?:dbfs:)?\/Volumes\//;

/** Whether Auto Loader can read the path. */
export const isCloudPath = (path: string): boolean => cloudStorage.test(path) || volume.test(path);

export function loaderOf(
  path: string,
  strategies: readonly string[],
  runtime: GenerationContext["runtime"],
): FileLoader {
  const isIncremental = strategies.some((strategy) => strategy !== "replace");
  const replaces = strategies.includes("replace");
  if (runtime === "spark") return fileByFile("open-source Spark has no Auto Loader");
  if (!isCloudPath(path)) {
    return fileByFile("Auto Loader reads cloud storage and volumes, and the path is neither");
  }
  const inFull =
    "The files of tables with the strategy replace are read in full: Auto Loader would return only those that are new.";
  if (!isIncremental) return { autoLoader: false, choices: [inFull] };
  const place = volume.test(path) ? "a volume" : "cloud storage";
  return {
    autoLoader: true,
    choices: [
      `Auto Loader (cloudFiles) reads the files: they are in ${place}, and the notebook runs on Databricks.`,
      ...(replaces ? [inFull] : []),
    ],
  };
}

const fileByFile = (reason: string): FileLoader => ({
  autoLoader: false,
  choices: [`The notebook lists the files and reads those that are new: ${reason}.`],
});
