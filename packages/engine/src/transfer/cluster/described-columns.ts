import type { Dataset, DatasetDescription } from "../../protocol/transfer.ts";
import { transferredColumns } from "../transferred-columns.ts";
import { storedColumns } from "./cluster-types.ts";

/** The columns to transfer, in types that the cluster has. */
export function describedForCluster({ columns, ...description }: DatasetDescription, dataset: Dataset) {
  const described = transferredColumns({ ...description, columns: storedColumns(columns) }, dataset);
  return { ...described, columns: storedColumns(described.columns) };
}
