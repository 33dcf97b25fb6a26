import { resourcesOf } from "./capabilities.ts";
import { embeddedResources, standInResources } from "./conformance/resource-fixtures.ts";
import { resourceConformance } from "./conformance/resources.ts";

resourceConformance({ name: "embedded", resources: resourcesOf.embedded, open: embeddedResources });
resourceConformance({ name: "databricks", resources: resourcesOf.databricks, open: standInResources });
