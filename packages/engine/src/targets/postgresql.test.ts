import { freshSchema } from "../sources/postgresql/testing.ts";
import { targetSuite } from "./testing/suite.ts";

targetSuite("a PostgreSQL as a target", async (t) => {
  const schema = await freshSchema();
  t.after(() => schema.drop());
  return schema.connection;
});
