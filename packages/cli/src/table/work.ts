import type { CommandGroup } from "./spec.ts";

const runColumns = ["id", "kind", "name", "status", "cause.trigger", "queued_at", "ended_at", "error"];

const planColumns = ["id", "project_name", "environment", "status", "summary", "created_by", "created_at"];

export const work = {
  plans: {
    about: "What brings an environment to a desired state",
    commands: {
      create: { operation: "createPlan", examples: ["plans create -f plan.json"] },
      list: {
        operation: "listPlans",
        columns: planColumns,
        examples: ["plans list", "plans list --status needs_approval"],
      },
      get: { operation: "getPlan", examples: ["plans get 019f0000-0000-7000-8000-00000000000e -o yaml"] },
      apply: { operation: "applyPlan", examples: ["plans apply 019f0000-0000-7000-8000-00000000000e"] },
      approve: { operation: "approvePlan", examples: ["plans approve 019f0000-0000-7000-8000-00000000000e"] },
    },
  },
  jobs: {
    about: "What runs: connectors, flows, pipelines and automations with their triggers",
    commands: {
      list: {
        operation: "listJobs",
        columns: ["kind", "name", "paused", "next_at", "failures", "problem", "id"],
        examples: ["jobs list", "jobs list --kind connector --status paused"],
      },
      get: {
        operation: "getJob",
        examples: ["jobs get orders-in", "jobs get connector-019f0000-0000-7000-8000-000000000002"],
      },
      run: { operation: "runJob", starts: "id", examples: ["jobs run orders-in --watch"] },
      runs: { operation: "listRunsOfJob", columns: runColumns, examples: ["jobs runs orders-in --limit 10"] },
      downstream: { operation: "getJobDownstream", examples: ["jobs downstream orders-in"] },
      overview: { operation: "getOverview", examples: ["jobs overview -o yaml"] },
      firings: { operation: "listFirings", examples: ["jobs firings orders-in --count 5"] },
    },
  },
  runs: {
    about: "Runs of jobs",
    commands: {
      list: {
        operation: "listRuns",
        columns: runColumns,
        examples: ["runs list", "runs list --name orders-in --status failed", "runs list --limit 5 -o jsonl"],
      },
      get: { operation: "getRun", examples: ["runs get 019f0000-0000-7000-8000-00000000000f -o yaml"] },
      cancel: { operation: "cancelRun", examples: ["runs cancel 019f0000-0000-7000-8000-00000000000f"] },
      retry: {
        operation: "retryRun",
        starts: "id",
        examples: ["runs retry 019f0000-0000-7000-8000-00000000000f --watch"],
      },
    },
  },
  drift: {
    about:
      "What somebody changed elsewhere: of the project in this folder, or of everything that the server watches",
    commands: {
      list: {
        operation: "listDrift",
        summary:
          "List all differences that the server knows, of any project or none, also changes by hand on a platform. Needs no folder",
        columns: ["kind", "name", "change", "field", "declared", "live", "since", "id"],
        examples: ["drift list", "drift list --env prod --kind connector -o json"],
      },
      check: {
        operation: "checkDrift",
        summary: "Compare everything in an environment with its definitions now, so that list is up to date",
        examples: ["drift check --env prod"],
      },
      adopt: {
        operation: "adoptDrift",
        summary:
          "Keep one difference on the server: its definition says what is there. For the files of a project: lakehelm adopt",
        examples: ["drift adopt connector/orders-in", "drift adopt connector/orders-in/schedule_cron"],
      },
      revert: {
        operation: "revertDrift",
        summary: "Put back one difference, as the definition says. For a whole project: lakehelm revert",
        examples: ["drift revert connector/orders-in", "drift revert 019f0000-0000-7000-8000-000000000012"],
      },
    },
  },
  automations: {
    about: "Tasks with dependencies, schedules and conditions",
    commands: {
      list: {
        operation: "listAutomations",
        columns: ["alias", "description", "updated_at", "updated_by"],
        examples: ["automations list", "automations list --search orders"],
      },
      get: { operation: "getAutomation", examples: ["automations get orders-daily -o yaml"] },
      create: { operation: "createAutomation", examples: ["automations create -f orders-daily.yaml"] },
      update: {
        operation: "updateAutomation",
        examples: ['automations update orders-daily --description "Loads the orders"'],
      },
      delete: { operation: "deleteAutomation", examples: ["automations delete orders-daily"] },
      "set-definition": {
        operation: "setDefinition",
        examples: ["automations set-definition orders-daily -f definition.yaml"],
      },
      run: {
        operation: "runAutomation",
        starts: "id",
        examples: ["automations run orders-daily --env prod --watch"],
      },
      runs: {
        operation: "listAutomationRuns",
        columns: runColumns,
        examples: ["automations runs orders-daily --limit 10"],
      },
      pause: {
        operation: "setSchedule",
        fixed: { action: "pause" },
        rows: "schedules",
        columns: ["environment", "schedule", "state", "problem"],
        summary: "Pause the schedule of an automation",
        examples: ['automations pause orders-daily --env prod --reason "stocktaking"'],
      },
      resume: {
        operation: "setSchedule",
        fixed: { action: "resume" },
        rows: "schedules",
        columns: ["environment", "schedule", "state", "problem"],
        summary: "Resume the schedule of an automation",
        examples: ["automations resume orders-daily --env prod"],
      },
      releases: {
        operation: "listReleases",
        columns: [
          "version",
          "environment",
          "activated_at",
          "activated_by",
          "git_commit_sha",
          "error_message",
        ],
        examples: ["automations releases orders-daily"],
      },
      "released-definition": {
        operation: "getReleasedDefinition",
        examples: ["automations released-definition orders-daily 01931a52-7c2e-7d0a-9b3e-5a1f6e1c2d3b"],
      },
      release: {
        operation: "syncAutomationRelease",
        positional: ["automation_alias"],
        examples: ["automations release orders-daily --env prod --set metadata.version=1.4.0"],
      },
      "sync-release": {
        operation: "syncAutomationRelease",
        summary: "The same as `automations release`",
        positional: ["automation_alias"],
        examples: ["automations sync-release orders-daily --env prod --set metadata.version=1.4.0"],
      },
      "validate-query": {
        operation: "validateQuery",
        positional: ["query"],
        examples: ['automations validate-query "select count(*) from shop.sales.orders"'],
      },
      "validate-artifacts": {
        operation: "validateArtifacts",
        positional: ["attempt_id"],
        examples: ["automations validate-artifacts orders-daily fix-17 --env prod"],
      },
      "get-attempt": { operation: "getAttempt", examples: ["automations get-attempt orders-daily fix-17"] },
      "put-attempt": {
        operation: "putAttempt",
        examples: ["automations put-attempt orders-daily fix-17 -f attempt.yaml"],
      },
      "delete-attempt": {
        operation: "deleteAttempt",
        examples: ["automations delete-attempt orders-daily fix-17"],
      },
    },
  },
  channels: {
    about: "Slack, Teams and webhook channels that get messages about events",
    commands: {
      list: {
        operation: "listBindings",
        columns: ["channel_name", "channel_id", "environment", "automation_alias", "updated_at", "id"],
        examples: ["channels list"],
      },
      bind: {
        operation: "bindChat",
        examples: ["channels bind --env prod --channel-id C0ORDERS -f channel.yaml"],
      },
      unbind: {
        operation: "deleteBinding",
        examples: ["channels unbind 019f0000-0000-7000-8000-00000000000c"],
      },
      test: { operation: "testBinding", examples: ["channels test 019f0000-0000-7000-8000-00000000000c"] },
      deliveries: {
        operation: "listDeliveries",
        columns: ["created_at", "channel_id", "kind", "state", "attempts", "error", "id"],
        examples: ["channels deliveries --state dead"],
      },
      "retry-delivery": {
        operation: "retryDelivery",
        examples: ["channels retry-delivery 019f0000-0000-7000-8000-00000000000e"],
      },
    },
  },
  deployments: {
    about: "Records of what was deployed, by whom and from which commit",
    commands: {
      list: {
        operation: "listDeployments",
        columns: ["deployment_name", "status", "git_branch", "git_commit_sha", "created_at", "id"],
        examples: ["deployments list", "deployments list --env prod --status failed"],
      },
      get: { operation: "getDeployment", examples: ["deployments get 019f0000-0000-7000-8000-000000000005"] },
      create: {
        operation: "createDeployment",
        examples: ["deployments create --env prod --deployment-name orders --git-branch main"],
      },
      update: {
        operation: "updateDeployment",
        examples: ["deployments update 019f0000-0000-7000-8000-000000000005 --job-run-id 17"],
      },
      delete: {
        operation: "deleteDeployment",
        examples: ["deployments delete 019f0000-0000-7000-8000-000000000005"],
      },
      start: {
        operation: "startDeployment",
        examples: ["deployments start 019f0000-0000-7000-8000-000000000005"],
      },
      "append-log": {
        operation: "appendDeploymentLog",
        examples: [
          'deployments append-log 019f0000-0000-7000-8000-000000000005 --log-chunk "tables created"',
        ],
      },
      finish: {
        operation: "finishDeployment",
        examples: ["deployments finish 019f0000-0000-7000-8000-000000000005 --status succeeded"],
      },
      log: {
        operation: "getDeploymentLog",
        examples: ["deployments log 019f0000-0000-7000-8000-000000000005"],
      },
    },
  },
} satisfies Record<string, CommandGroup>;
