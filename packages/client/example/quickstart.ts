/** Creates an environment, changes it, lists environments, and deletes it again. */
import { ApiError, createClient, type Environment } from "@lakehelm/client";

const client = createClient({
  baseUrl: process.env.LAKEHELM_URL ?? "http://127.0.0.1:8000",
  token: process.env.LAKEHELM_TOKEN ?? "",
});

const created: Environment = await client.createEnvironment({
  body: { name: "quickstart", description: "An example" },
  idempotencyKey: "quickstart-1",
});
console.log(`Created ${created.name} on the platform ${created.platform}.`);

// With the ETag, the update fails if another caller has changed the environment since.
const { etag } = await client.withResponse.getEnvironment({ params: { environment_id: created.id } });
await client.updateEnvironment({
  params: { environment_id: created.id },
  body: { description: "A changed example" },
  ...(etag !== undefined && { ifMatch: etag }),
});

for await (const { name, description } of client.all.listEnvironments({ query: { search: "example" } })) {
  console.log(`${name}: ${description}`);
}

try {
  await client.createEnvironment({ body: { name: created.name } });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(`${error.kind}: ${error.detail}`);
}

await client.deleteEnvironment({ params: { environment_id: created.id } });
