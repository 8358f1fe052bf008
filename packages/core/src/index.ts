export type { ExplainedAgent, ExplainedRule } from "./agent/explain-agents.ts"
export type {
  AgentDraft,
  AgentFileChange,
  AgentFileOwner,
  AgentFileText,
  AgentOverview,
  AgentSource,
  DefinedAgent,
} from "./agent-file/agent-file-service.ts"
export type { AuditLog, NewAuditEntry } from "./audit/audit-log.ts"
export { createAuditLog } from "./audit/create-audit-log.ts"
export type { Bounds } from "./bound/bounds.ts"
export { createBounds } from "./bound/create-bounds.ts"
export type {
  ChangeLack,
  ChangeService,
  DiffPiece,
  StepChange,
  TreeChanges,
} from "./changes/change-service.ts"
export { createFewAtOnce, type FewAtOnce } from "./concurrency/few-at-once.ts"
export { createKeyedQueue, type InOrder } from "./concurrency/keyed-queue.ts"
export type {
  ConfigEntry,
  ConfigEntryKind,
  ConfigProblem,
  ConfigReport,
  ConfigTrustState,
  ProjectTrust,
} from "./config/config-report.ts"
export type { ConfigFile, EffectiveConfig, EffectiveValue } from "./config/effective-config.ts"
export { didYouMean } from "./error/nearest-name.ts"
export type { OtherFile } from "./config/other-files.ts"
export { userConfigDirectory } from "./config/user-directory.ts"
export type { TaskService } from "./delegation/task-service.ts"
export {
  DocketError,
  type DocketErrorCode,
  isDocketError,
  StaleTurnError,
  TooManyRequestsError,
  UnknownTreeError,
} from "./error/docket-error.ts"
export type { StoreAway } from "./event/endings.ts"
export { createGuardedCall, type GuardedCall } from "./fetch/guarded-call.ts"
export { placeOf } from "./fetch/place-of.ts"
export { isPublicAddress } from "./fetch/public-address.ts"
export { readBoundedFile, readBoundedFileSync, unreadableReason } from "./file/read-bounded-file.ts"
export { type CreateId, createIdSource } from "./id/create-id.ts"
export type { MemoryService } from "./memory/memory-service.ts"
export type { ListedGrant, ListedGrants } from "./permission/listed-grants.ts"
export type { PlanDocument } from "./plan/plan-document.ts"
export type { PromptSuggestion } from "./project/suggest-prompts.ts"
export { createProviders, type Providers, type ProvidersDeps } from "./provider/create-providers.ts"
export { rehearsalLoader } from "./rehearsal/load-rehearsal.ts"
export type {
  ReviewOverview,
  ReviewService,
  SavedDraft,
  TaskReview,
  ThreadView,
  UnjudgedTask,
} from "./review/review-service.ts"
export type { JudgedAct, JudgedPattern } from "./rulebook/judge-asks.ts"
export type { HistoryChange, JudgedHistory } from "./rulebook/judge-history.ts"
export { createRuntime } from "./runtime/create-runtime.ts"
export type { RuntimeDeps } from "./runtime/create-services.ts"
export type { LeftBehind, LeftByPeople, Runtime, UseCases } from "./runtime/runtime.ts"
export type { OutputPage } from "./schema/output-page.ts"
export { createSandbox, type SandboxDeps } from "./sandbox/create-sandbox.ts"
export type { Sandbox } from "./sandbox/sandbox.ts"
export { scheduleForms } from "./schedule/parse-phrase.ts"
export type { ScheduleService } from "./schedule/schedule-service.ts"
export { createSearch } from "./search/create-search.ts"
export type { Excerpt } from "./search/excerpt.ts"
export type { FoundRow, FoundRows, SearchHit, SearchPage, SearchService } from "./search/search-service.ts"
export type { TreeSnapshot } from "./session/session-service.ts"
export type { SessionWork } from "./session/session-work.ts"
export type { TreePast } from "./session/tree-past.ts"
export type { SharePreview } from "./share/preview-share.ts"
export type { LinkOnlooker, LinkVisitor } from "./share/share-access.ts"
export type { ShareBatch } from "./share/share-event.ts"
export { hashShareSecret } from "./share/share-links.ts"
export type { ListedShare, SharedMessages, SharedPart, ShareFrame } from "./share/share-service.ts"
export {
  type AgentUseCases,
  createTenants,
  type Tenant,
  type Tenants,
  type TenantsDeps,
  type TenantUseCases,
  type TokenInfo,
} from "./tenant/create-tenants.ts"
export type { ProposedTodo, TodoChangeOrigin, TodoEvidence, TodoPatch, TodoService } from "./todo/todo-service.ts"
export { maxImportBytes } from "./transfer/import-limit.ts"
export type { ExportOptions, ImportReport, TransferService } from "./transfer/transfer-service.ts"
export type { InstructionsText, SkillText, TextsInForce } from "./trust/texts-in-force.ts"
export type { TrustedDirectory } from "./trust/trust-service.ts"
export type { WebhookInput, WebhookPatch, WebhookService, WebhookView } from "./webhook/webhook-service.ts"
export { createWorkspaces, type WorkspaceSettings } from "./workspace/create-workspaces.ts"
export type { WorkspacePatch, WorkspaceService } from "./workspace/workspace-service.ts"
