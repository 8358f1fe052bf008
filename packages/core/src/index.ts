export { DocketError, type DocketErrorCode, isDocketError, StaleTurnError, UnknownTreeError } from "./error.ts"
export { type CreateId, createIdSource } from "./id/create-id.ts"
export type { ConfigProblem, ConfigReport, Runtime, TreeSnapshot } from "./runtime-port.ts"
