import type { TestS3 } from "@lakehelm/engine/testing";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";

/** A separate Spark Connect server that reads and writes a bucket of an S3 server as `s3a://bucket/…`. */
export async function startConnectServerWith(s3: TestS3, bucket: string): Promise<ConnectServer> {
  const { TEST_SPARK_S3_JARS } = process.env;
  if (!TEST_SPARK_S3_JARS)
    throw new Error(
      'The jars for s3a are installed for suites with "bucket" in their names: npm run test:spark.',
    );
  const { endpoint = "", access_key_id = "", secret_access_key = "" } = s3.config;
  const ofBucket = {
    endpoint,
    "endpoint.region": "us-east-1",
    "path.style.access": "true",
    "access.key": access_key_id,
    "secret.key": secret_access_key,
  };
  const settings = Object.fromEntries(
    Object.entries(ofBucket).map(([name, value]) => [`spark.hadoop.fs.s3a.bucket.${bucket}.${name}`, value]),
  );
  return startConnectServer({ own: { jars: [TEST_SPARK_S3_JARS], settings } });
}
