import { resolve } from "node:path";
import { type SettingPath, type Settings, settingsSchema } from "./settings.ts";

/** Programs of callers may see these paths: the operator provides them for programs. */
const forPrograms: ReadonlySet<string> = new Set([
  "PLATFORM_PROGRAMS_FOLDERS",
  "PLATFORM_PYTHON",
  "PLATFORM_SPARK_PYTHON",
]);

/**
 * Every file and folder that a setting names. Every value that could be a path counts as one, whatever the setting is
 * for, so new settings are covered. Paths that do not exist do no harm.
 */
export function settingPaths(settings: Settings): SettingPath[] {
  const named = settingsSchema.fieldEntries.flatMap(([setting]) => {
    if (forPrograms.has(setting)) return [];
    const value: unknown = settings[setting as keyof Settings];
    return [value]
      .flat()
      .filter((text): text is string => typeof text === "string")
      .flatMap(pathsIn)
      .map((path) => ({ setting, path: resolve(path), isWord: !path.includes("/") }));
  });
  const ofCredentials = settings.credentialFiles.map((file) => ({ ...file, path: resolve(file.path) }));
  return [...named, ...ofCredentials];
}

/**
 * A relative path may be a single name, such as `data`. A URL may contain paths of files, such as `sslkey` of
 * PostgreSQL.
 */
function pathsIn(value: string): string[] {
  if (value.length >= 4096 || value.includes("\0")) return [];
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return [value];
  return [...(URL.parse(value)?.searchParams.values() ?? [])].filter((one) => one.startsWith("/"));
}
