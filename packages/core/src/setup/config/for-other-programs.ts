// What `@docket/compat` needs to read the configuration of other programs.
export { DocketError } from "../../ground/error/docket-error.ts"
export { didYouMean } from "../../ground/error/nearest-name.ts"
export { notWritten } from "../../ground/error/not-written.ts"
export { directoriesBetween } from "../../ground/file/directories-between.ts"
export { isWithin } from "../../ground/file/is-within.ts"
export { unreadableReason } from "../../ground/file/read-bounded-file.ts"
export { readWithin } from "../../ground/file/read-within.ts"
export { askingFor, type ConfigProblem } from "./config-report.ts"
export type { DefiningUser } from "./definitions.ts"
export { scriptsOfHooks } from "./hook-scripts.ts"
export { isRecord } from "./is-record.ts"
export { nodesAt, properties, textPosition } from "./json-tree.ts"
export { mergeRecords } from "./merge-config.ts"
export type {
  OtherFile,
  OtherPrograms,
  OtherServers,
  OtherSetup,
  ReadProject,
  TranslatedAgent,
  TranslatedSettings,
} from "./other-programs.ts"
export { parseConfigText } from "./parse-config-text.ts"
export type { JudgedFile, ProvidedFile, ProvidingProject } from "./provided-file.ts"
export type { Fault } from "./read-agent.ts"
export { readSettingsText } from "./read-config-sources.ts"
export { readJsonTree } from "./read-json-tree.ts"
export { seeProject } from "./seen-project.ts"
export { editTools, permissionNames } from "./tool-names.ts"
export { opencodeUserDirectory, userConfigDirectory } from "./user-directory.ts"
