export { openClusterTarget } from "./capture-into-cluster.ts";
export { deliverFromCluster } from "./deliver-from-cluster.ts";
export { ingestIntoCluster } from "./ingest-into-cluster.ts";
export { previewOnCluster } from "./preview-on-cluster.ts";
