import { api } from "../app/client.ts";
import { useQuery } from "../app/queries.ts";

/** All events of automations except those of drafts, which change while a user types. */
const on = ["created", "updated", "deleted", "definition_set", "release_*", "job_*", "schedule_*"].map(
  (kind) => ({ kind: `automation.${kind}` }),
);

/** The automations by alias. The server filters. */
export const useAutomations = (search: string | undefined) =>
  useQuery({
    key: ["automations", search],
    read: (signal) =>
      api.listAutomations({ query: { limit: 1000, sort: "name", ...(search && { search }) }, signal }),
    on,
  });

/** An automation with its releases and schedules. */
export const useAutomation = (alias: string) =>
  useQuery({
    key: ["automation", alias],
    read: (signal) => api.getAutomation({ params: { automation_alias: alias }, signal }),
    on,
  });

/** The jobs of an environment, or of all: each release of an automation has one. */
export const useReleasedJobs = (environment: string | undefined) =>
  useQuery({
    key: ["released jobs", environment],
    read: (signal) =>
      api.listJobs({
        query: { kind: "automation", limit: 1000, ...(environment && { environment }) },
        signal,
      }),
    on: [...on, { kind: "job.*" }, { kind: "run.*" }],
  });

/**
 * The releases in each environment, newest first. The server keeps only the definitions of the last 20 per environment.
 */
export const useReleaseHistory = (automationId: string) =>
  useQuery({
    key: ["release history", automationId],
    read: (signal) =>
      api.readEvents({
        query: {
          subject: `automation/${automationId}`,
          kind: "automation.release_activated",
          sort: "-created",
          limit: 100,
        },
        signal,
      }),
    on: [{ kind: "automation.release_activated", subject: `automation/${automationId}` }],
  });

/** The definition of a current or former release. It never changes. */
export const useReleasedDefinition = (alias: string, releaseId: string | undefined) =>
  useQuery({
    key: ["released definition", alias, releaseId],
    read: (signal) =>
      api.getReleasedDefinition({
        params: { automation_alias: alias, release_id: releaseId ?? "" },
        signal,
      }),
    enabled: releaseId !== undefined,
  });
