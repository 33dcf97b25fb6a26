import { listApps, type WorkspaceApp } from "../components/workspace-apps.ts";
import { isSamePath } from "../jobs/workspace-files.ts";
import type { LiveKind } from "./live-kind.ts";
import { fieldName } from "./settings-difference.ts";

/** Compares what was deployed, and whether the app should run. One list for each workspace. */
export const liveApps: LiveKind = {
  shape: {
    watched: new Set(["resources"]),
    defaults: {},
    itemKeys: { resources: "name" },
    // The workspace does not show this path while the app is stopped.
    mayBeHidden: new Set(["source_code_path"]),
  },
  adoption(_, difference) {
    const field = fieldName(difference);
    if (field === "compute_status" && difference.live === "STOPPED") return { change: { paused: true } };
    if (field === "compute_status")
      return { problem: "Somebody started the app. Start it here, too; to stop it again, revert." };
    return {
      problem: `${field} of an app cannot be adopted. Change the app and start it again, or revert it, which deploys it again.`,
    };
  },
  goneAdvice: ({ name }) => `To have none, stop or delete "${name}" here; to have it again, revert.`,
  async open(client, _, signal) {
    const listed = new Map<string, WorkspaceApp>();
    for await (const app of listApps(client, signal)) listed.set(app.name ?? "", app);
    return async ({ reference, settings }) => {
      const app = listed.get(reference);
      const { state } = app?.compute_status ?? {};
      const shouldRun = settings.compute_status !== "STOPPED";
      const compute_status = state === "STOPPED" || state === "STOPPING" ? "STOPPED" : "ACTIVE";
      if (!app || state === "DELETING") {
        // An app that should not run need not exist: its next start creates it.
        return shouldRun ? null : { declared: {}, live: {} };
      }
      if (!shouldRun) return { declared: { compute_status: "STOPPED" }, live: { compute_status } };
      const { source_code_path: declaredPath } = settings;
      const path = app.active_deployment?.source_code_path;
      const isSame = path !== undefined && isSamePath(path, String(declaredPath));
      return {
        declared: settings,
        live: {
          description: app.description,
          resources: app.resources,
          compute_status,
          source_code_path: isSame ? declaredPath : path,
        },
      };
    };
  },
};
