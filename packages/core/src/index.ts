export { DocketError, type DocketErrorCode, isDocketError, StaleTurnError, UnknownTreeError } from "./error.ts"
export { readBoundedFile, readBoundedFileSync, unreadableReason } from "./file/read-bounded-file.ts"
export { type CreateId, createIdSource } from "./id/create-id.ts"
export { createProviders, type Providers, type ProvidersDeps } from "./provider/create-providers.ts"
export { createRuntime } from "./runtime.ts"
export type { RuntimeDeps } from "./runtime-parts.ts"
export type {
  ConfigEntry,
  ConfigEntryKind,
  ConfigProblem,
  ConfigReport,
  ConfigTrustState,
  MemoryService,
  ProjectTrust,
  Runtime,
  ScheduleService,
  TaskService,
  TodoChangeOrigin,
  TodoEvidence,
  TodoPatch,
  TodoService,
  TreeSnapshot,
  TrustedDirectory,
} from "./runtime-port.ts"
export { scheduleForms } from "./schedule/parse-phrase.ts"
export { createTenants, type Tenant, type Tenants, type TenantsDeps, type TokenInfo } from "./tenant/create-tenants.ts"
