import { automationReleaseCommand } from "@lakehelm/contract/changes";

/** Why an automation does not run in an environment, and the command that releases it. */
export const noReleaseText = (alias: string, environment: string): string =>
  `${alias} has no current release in ${environment}. To release its definition: ${automationReleaseCommand(alias, environment)}`;
