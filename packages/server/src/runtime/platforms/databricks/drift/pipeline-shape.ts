import type { SettingsShape } from "./settings-difference.ts";

export const pipelineShape: SettingsShape = {
  watched: new Set([
    "libraries",
    "configuration",
    "clusters",
    "tags",
    "development",
    "notifications",
    "environment",
    "target",
  ]),
  defaults: { channel: ["CURRENT"], edition: ["ADVANCED"], photon: [true] },
  itemKeys: {},
  mayBeHidden: new Set(["allow_duplicate_names", "run_as"]),
};
