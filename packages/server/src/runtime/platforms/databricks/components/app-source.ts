import { conflict } from "../../../../core/errors.ts";
import { ManifestProblem, readManifest } from "../../../processes/manifest.ts";
import type { SecretSource } from "../jobs/own-secrets.ts";
import type { UploadedFile } from "../jobs/workspace-files.ts";

/** A file of an app, below its folder. */
export interface SourceFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files below a folder of an environment's files; throws 409 if there are none, or too many. */
export type ReadSource = (
  environmentId: string,
  path: string,
  limits: { readonly files: number; readonly bytes: number },
) => Promise<readonly SourceFile[]>;

/** A workspace takes 10 MB for one file, and each file is a request. */
export const sourceLimits = { files: 2_000, bytes: 50 * 1024 * 1024 };
const largestFile = 10 * 1024 * 1024;

export interface AppSource {
  readonly files: readonly UploadedFile[];
  readonly secrets: ReadonlyMap<string, SecretSource>;
  readonly resources: readonly object[];
}

/** The prefix of the keys of an app's secrets, so that they can be deleted with the app. */
export const appSecretPrefix = (appId: string): string => `app.${appId}.`;

/**
 * An app as the workspace takes it: `app.yaml` without the keys that only Lakehelm has, and its secrets as resources of the app
 * in our scope.
 */
export async function appSource(
  appId: string,
  files: readonly SourceFile[],
  scope: string,
): Promise<AppSource> {
  const tooLarge = files.find(({ content }) => content.byteLength > largestFile);
  if (tooLarge)
    throw conflict(`${tooLarge.path} has more than 10 MB, which a Databricks workspace does not take.`);
  const manifest = files.find(({ path }) => path === "app.yaml");
  if (!manifest) throw conflict("The folder of the app has no app.yaml.");
  const { command, env } = await readManifest(Buffer.from(manifest.content).toString("utf8")).catch(
    (error) => {
      throw error instanceof ManifestProblem ? conflict(error.message) : error;
    },
  );
  const secrets = new Map<string, SecretSource>();
  const resources: object[] = [];
  const variables = env.map((one) => {
    if ("value" in one) return one;
    if (one.name.length > 80)
      throw conflict(`The variable ${one.name} in app.yaml has more than 80 characters.`);
    const key = `${appSecretPrefix(appId)}${one.name}`;
    const name = `secret-${resources.length + 1}`;
    secrets.set(key, { reference: one.secret, to: ["an app"] });
    resources.push({ name, secret: { scope, key, permission: "READ" } });
    return { name: one.name, valueFrom: name };
  });
  // JSON is YAML, too.
  const content = JSON.stringify({ command, ...(env.length > 0 && { env: variables }) }, null, 2);
  const others = files.filter((file) => file !== manifest);
  return {
    files: [{ path: "app.yaml", content }, ...others].map((file) => ({
      ...file,
      isNotebook: false,
      isRaw: true,
    })),
    secrets,
    resources,
  };
}
