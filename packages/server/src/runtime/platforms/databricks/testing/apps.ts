import { FakeError, type Routes } from "./route.ts";

interface FakeDeployment {
  readonly deployment_id: string;
  readonly source_code_path: string;
  status: { state: "IN_PROGRESS" | "SUCCEEDED" | "FAILED"; message: string };
}

export interface FakeApp {
  readonly name: string;
  description: string;
  resources?: unknown;
  compute: "STARTING" | "ACTIVE" | "STOPPED" | "ERROR";
  crashed: boolean;
  readonly deployments: FakeDeployment[];
}

/** Apps. Compute and deployments are ready at once, unless `isSlow`: then the test says when. */
export function appRoutes() {
  const apps = new Map<string, FakeApp>();
  const state = {
    isSlow: false,
    /** How deployments end. */
    deploymentEnd: { state: "SUCCEEDED", message: "App started successfully" } as FakeDeployment["status"],
  };
  const found = (name = "") => {
    const app = apps.get(name);
    if (!app) throw new FakeError(404, "RESOURCE_DOES_NOT_EXIST", `App with name ${name} does not exist.`);
    return app;
  };
  const pendingOf = ({ deployments }: FakeApp) =>
    deployments.find(({ status }) => status.state === "IN_PROGRESS");

  function shown(app: FakeApp) {
    const { name, description, resources, compute, crashed } = app;
    const active = app.deployments.findLast(({ status }) => status.state === "SUCCEEDED");
    const runs = compute === "ACTIVE" && active;
    return {
      name,
      description,
      resources,
      url: `https://${name}.apps.example.test`,
      compute_status: { state: compute, message: `App compute is ${compute}.` },
      app_status: crashed
        ? { state: "CRASHED", message: "Exit code 1." }
        : { state: runs ? "RUNNING" : "UNAVAILABLE", message: "" },
      ...(compute === "ACTIVE" && active && { active_deployment: active }),
      ...(compute === "ACTIVE" && pendingOf(app) && { pending_deployment: pendingOf(app) }),
    };
  }

  const routes: Routes = {
    "POST /api/2.0/apps": ({ body }) => {
      if (!/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])$/.test(body.name))
        throw new FakeError(400, "INVALID_PARAMETER_VALUE", `App name '${body.name}' is invalid.`);
      if (apps.has(body.name))
        throw new FakeError(409, "ALREADY_EXISTS", `An app with the same name already exists: ${body.name}`);
      const app: FakeApp = {
        name: body.name,
        description: body.description ?? "",
        resources: body.resources,
        compute: state.isSlow ? "STARTING" : "ACTIVE",
        crashed: false,
        deployments: [],
      };
      apps.set(app.name, app);
      return shown(app);
    },
    "GET /api/2.0/apps": () => (apps.size === 0 ? {} : { apps: [...apps.values()].map(shown) }),
    "GET /api/2.0/apps/{name}": ({ params }) => shown(found(params.name)),
    "PATCH /api/2.0/apps/{name}": ({ params, body }) => {
      const app = found(params.name);
      Object.assign(app, body);
      return shown(app);
    },
    "DELETE /api/2.0/apps/{name}": ({ params }) => {
      const app = found(params.name);
      apps.delete(app.name);
      return shown(app);
    },
    "POST /api/2.0/apps/{name}/start": ({ params }) => {
      const app = found(params.name);
      if (app.compute === "ACTIVE")
        throw new FakeError(400, "BAD_REQUEST", "Cannot start app as its compute is ACTIVE.");
      app.compute = state.isSlow ? "STARTING" : "ACTIVE";
      return shown(app);
    },
    "POST /api/2.0/apps/{name}/stop": ({ params }) => {
      const app = found(params.name);
      if (app.compute === "STARTING")
        throw new FakeError(400, "BAD_REQUEST", "Cannot stop app as its compute is STARTING.");
      app.compute = "STOPPED";
      return shown(app);
    },
    "POST /api/2.0/apps/{name}/deployments": ({ params, body }) => {
      const app = found(params.name);
      if (app.compute !== "ACTIVE") throw new FakeError(400, "BAD_REQUEST", "Start it first.");
      if (pendingOf(app)) throw new FakeError(409, "RESOURCE_CONFLICT", "A deployment is in progress.");
      const deployment: FakeDeployment = {
        deployment_id: `d${app.deployments.length + 1}`,
        source_code_path: body.source_code_path,
        status: state.isSlow
          ? { state: "IN_PROGRESS", message: "Preparing source code." }
          : { ...state.deploymentEnd },
      };
      app.deployments.push(deployment);
      return deployment;
    },
    "GET /api/2.0/apps/{name}/deployments": ({ params }) => ({
      app_deployments: found(params.name).deployments.toReversed(),
    }),
  };
  return { routes, apps, state };
}
