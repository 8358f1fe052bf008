export { DocketError } from "../../ground/error/docket-error.ts"
export { didYouMean } from "../../ground/error/nearest-name.ts"
export { notWritten } from "../../ground/error/not-written.ts"
export { isWithin } from "../../ground/file/is-within.ts"
export { readBoundedFile, UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
export type { JudgedFile } from "./brought-file.ts"
export { askingFor } from "./closure.ts"
export type { DefiningUser } from "./definition-places.ts"
export { isRecord } from "./is-record.ts"
export { nodesAt, properties } from "./json-tree.ts"
export { mergeRecords } from "./merge-config.ts"
export type {
  OtherFile,
  OtherPrograms,
  OtherSetup,
  TranslatedAgent,
  TranslatedSettings,
} from "./other-programs.ts"
export { parseConfigText } from "./parse-config-text.ts"
export { sizeLimit } from "./read-config-sources.ts"
export type { Fault } from "./read-permission.ts"
export { textPosition } from "./text-position.ts"
export { permissionNames } from "./tool-names.ts"
export { editTools } from "./tools-permission.ts"
export { opencodeUserDirectory, userConfigDirectory } from "./user-directory.ts"
