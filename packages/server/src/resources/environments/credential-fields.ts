import type { Environment, EnvironmentUpdateRequest } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { ConfigurationKeys, KeyUse } from "../../runtime/platforms/configuration-keys.ts";

/** What the fields of an environment, except the keys of `configuration`, mean for its credentials. */
const fields: Readonly<Record<keyof EnvironmentUpdateRequest, KeyUse>> = {
  platform: "destination",
  secretScope: "credential",
  dataPlatformClientIdKey: "credential",
  dataPlatformClientSecretKey: "credential",
  name: "setting",
  description: "setting",
  protected: "setting",
  gitProvider: "setting",
  gitRepository: "setting",
  targetGitBranch: "setting",
  configuration: "setting",
  isActive: "setting",
  updatedBy: "setting",
};

/** An environment with decrypted secrets in its configuration. */
export type OpenedEnvironment = Pick<
  Environment,
  "platform" | "secretScope" | "dataPlatformClientIdKey" | "dataPlatformClientSecretKey" | "configuration"
>;

/**
 * The fields whose change sends the credentials of an environment elsewhere, or sends other credentials. None while the
 * environment has no credentials: the caller who adds them sees where they go.
 */
export function movedCredentialFields(
  before: OpenedEnvironment,
  after: OpenedEnvironment,
  keysOf: (platform: string) => ConfigurationKeys,
): string[] {
  const keys = { ...keysOf(before.platform), ...keysOf(after.platform) };
  const used = (declared: ConfigurationKeys) =>
    Object.keys(declared).filter((key) => declared[key] !== "setting");
  const hasCredentials = ({ configuration, platform, ...rest }: OpenedEnvironment) => {
    const declared = keysOf(platform);
    if (Object.keys(declared).length === 0) return false;
    if (!isUnset(rest.dataPlatformClientIdKey) || !isUnset(rest.dataPlatformClientSecretKey)) return true;
    return Object.keys(declared).some(
      (key) => declared[key] === "credential" && !isUnset(configuration[key]),
    );
  };
  if (!hasCredentials(before) && !hasCredentials(after)) return [];
  const changed =
    (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) => (key: string) =>
      textOf(one[key]) !== textOf(other[key]);
  return [
    ...used(fields).filter(changed(before, after)),
    ...used(keys)
      .filter(changed(before.configuration, after.configuration))
      .map((key) => `configuration.${key}`),
  ];
}

const isUnset = (value: unknown) => value === undefined || value === null || value === "";

const textOf = (value: unknown) => (isUnset(value) ? "" : encodeJson(value));
