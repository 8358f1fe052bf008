// What readers of other programs' sessions need to make a session file.
export { createIdSource } from "../../ground/id/create-id.ts"
export { addUsage, noUsage, totalTokens, type Usage } from "../../ground/message/usage.ts"
export type { TaskMetadata } from "../../ground/schema/tool-metadata.ts"
export { titleFrom, typedTitle } from "../session/title-from.ts"
export { badFile } from "./bad-file.ts"
export type { ForeignFile, ParsedText } from "./read-session-file.ts"
export type { LeftOut } from "./transfer-service.ts"
