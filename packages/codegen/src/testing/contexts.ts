import type { GenerationContext } from "../generation-context.ts";

/** The environment of the golden folders. */
export const production: GenerationContext = {
  environment: "prod",
  mode: "production",
  host: "https://shop.cloud.databricks.example",
  catalog: "shop",
  schema: "default",
  otherCatalog: "shop_dev",
  secretScope: "shop",
  runtime: "databricks",
  timezone: "UTC",
  git: { repository: "https://git.shop.example/data/platform.git", branch: "main" },
  runAs: "5e1f0c9a-0d3b-4a57-9c55-2f1d7a3b8e64",
  notificationEmail: "data-team@shop.example",
  ownerGroup: "data-team",
};

/** The smallest environment: a development environment without a workspace, repository or user. */
export const development: GenerationContext = {
  environment: "test",
  mode: "development",
  host: null,
  catalog: "shop",
  schema: "sales",
  otherCatalog: "shop",
  secretScope: "shop",
  runtime: "databricks",
  timezone: "UTC",
  git: null,
  runAs: null,
  notificationEmail: null,
  ownerGroup: null,
};

/** Like `production`, for open-source Spark. */
export const onSpark: GenerationContext = { ...production, runtime: "spark" };
