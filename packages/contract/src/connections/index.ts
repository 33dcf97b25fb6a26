/** Connection configs and table settings, as every package reads them. */
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
export {
  byHeader,
  byName,
  type CredentialPath,
  credential,
  isCredentialOf,
} from "./credentials.ts";
export { databaseFields } from "./databases.ts";
export { type DatasetSetting, datasetSettings } from "./dataset-settings.ts";
export { isAddress, isDestinationKey } from "./destination-keys.ts";
export * as field from "./fields.ts";
export { storageFields } from "./files.ts";
export { httpFields } from "./http.ts";
export {
  credentialFieldNames,
  credentialFieldsByKind,
  credentialsIn,
  isCredential,
  isTargetCredential,
} from "./kinds.ts";
export { type Paging, readPaging } from "./paging.ts";
export { createRedaction, type Redaction, type SecretRange, shortestSecret } from "./redaction.ts";
export { restDatasetProblem, restFields } from "./rest.ts";
export { type RestAuth, readRestAuth } from "./rest-auth.ts";
export {
  childPath,
  pathKeys,
  type RestDatasetRequest,
  type RestParent,
  readRestRequests,
} from "./rest-requests.ts";
export {
  contextBelow,
  isPublicHeader,
  isSecretKey,
  type SecretContext,
  secretMask,
} from "./secret-keys.ts";
export { hasMaskedPart, maskText, maskUrls } from "./secret-text.ts";
export { isPersonalTag, readTables, type TableSettings, type WriteStrategy } from "./table-settings.ts";
