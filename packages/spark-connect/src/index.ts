/** A client for Spark Connect: one gRPC server that plans and runs queries on a Spark cluster. */
export { joinArrowStreams } from "./arrow.ts";
export { jsonRowsOf } from "./arrow-values.ts";
export { certificateProblem } from "./grpc/certificate.ts";
export { Channel, type ChannelOptions } from "./grpc/channel.ts";
export { grpcCodes, RpcError } from "./grpc/rpc-error.ts";
export { type SparkBatch, type SparkPage, type SparkProgress, SparkSession } from "./session.ts";
export { isCancelled, isHandleLost, isNoTable, isSessionLost, SparkError } from "./spark-error.ts";
export type { SparkColumn } from "./types.ts";
