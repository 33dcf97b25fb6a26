/** Connection configs and table settings, as all packages read them. */
export { columnNameProblem } from "./column-name.ts";
export {
  type Config,
  type ConfigValues,
  commonKeys,
  isMap,
  isTextList,
  misspelledKeys,
  readConfig,
  unknownKeysWarning,
} from "./config.ts";
export { isConnectionHeader } from "./connection-headers.ts";
export { type ConnectorProblem, connectorProblems } from "./connector-problems.ts";
export {
  byHeader,
  byName,
  type CredentialPath,
  credential,
  isCredentialOf,
} from "./credentials.ts";
export { databaseFields, logFields } from "./databases.ts";
export {
  type DatasetSetting,
  datasetSettingProblems,
  datasetSettings,
  isLag,
  missingColumnChoices,
} from "./dataset-settings.ts";
export { isAddress, isDestinationKey } from "./destination-keys.ts";
export * as field from "./fields.ts";
export { storageFields } from "./files.ts";
export { httpFields, httpMethodFields } from "./http.ts";
export {
  credentialFieldNames,
  credentialsIn,
  isCredential,
  isTargetCredential,
} from "./kind-credentials.ts";
export {
  addKind,
  type ConnectionKind,
  connectionKind,
  connectionKinds,
  kindsFor,
  type LineageName,
  namesOf,
} from "./kinds/index.ts";
export { type Paging, readPaging } from "./paging.ts";
export { createRedaction, type Redaction, type SecretRange, shortestSecret } from "./redaction.ts";
export { restDatasetProblem, restFields, restLimitFields } from "./rest.ts";
export { type RestAuth, readRestAuth } from "./rest-auth.ts";
export {
  childPath,
  pathKeys,
  type RestDatasetRequest,
  type RestParent,
  readRestRequests,
} from "./rest-requests.ts";
export {
  allowsHost,
  anyHost,
  connectionHosts,
  hostEntry,
  hostIn,
  programs,
  secretHost,
  targetHosts,
} from "./secret-hosts.ts";
export {
  contextBelow,
  isPublicHeader,
  isSecretKey,
  type SecretContext,
  secretMask,
} from "./secret-keys.ts";
export { hasMaskedPart, maskText, maskUrls } from "./secret-text.ts";
export { isPersonalTag, readTables, type TableSettings, type WriteStrategy } from "./table-settings.ts";
