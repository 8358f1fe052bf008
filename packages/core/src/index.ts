export type { Bounds } from "./acts/bound/bounds.ts"
export { createBounds } from "./acts/bound/create-bounds.ts"
export type { ListedGrant, ListedGrants } from "./acts/permission/listed-grants.ts"
export { createSandbox, type SandboxDeps } from "./acts/sandbox/create-sandbox.ts"
export type { Sandbox } from "./acts/sandbox/sandbox.ts"
export type {
  AgentDraft,
  AgentFileChange,
  AgentFileOwner,
  AgentFileText,
  AgentOverview,
  AgentSource,
  DefinedAgent,
} from "./engine/agent-file/agent-file-service.ts"
export type {
  ChangeFigures,
  ChangeLack,
  ChangeService,
  ChangeSummary,
  ContentPiece,
  DiffPiece,
  StepChange,
  TreeChanges,
} from "./engine/changes/change-service.ts"
export type { TaskService } from "./engine/delegation/task-service.ts"
export type { PlanDocument } from "./engine/plan/plan-document.ts"
export type { PreviewedAct, PreviewedPattern } from "./engine/policy-preview/preview-act.ts"
export type { HistoryChange, PreviewedHistory } from "./engine/policy-preview/preview-history.ts"
export type { ListedTool, ToolList } from "./engine/policy-preview/preview-tools.ts"
export type { ProjectContent, ProjectEntry, ProjectMatch } from "./engine/project-reading/project-reading.ts"
export { rehearsalLoader } from "./engine/rehearsal/load-rehearsal.ts"
export { scheduleForms } from "./engine/schedule/parse-phrase.ts"
export type { ScheduleService } from "./engine/schedule/schedule-service.ts"
export { createDuty, type DutyWork, type HeldDuty } from "./ground/concurrency/duty.ts"
export { createFewAtOnce, type FewAtOnce } from "./ground/concurrency/few-at-once.ts"
export { createKeyedQueue, type InOrder } from "./ground/concurrency/keyed-queue.ts"
export { createRepeated } from "./ground/concurrency/repeated.ts"
export {
  DocketError,
  type DocketErrorCode,
  isDocketError,
  StaleTurnError,
  TooManyRequestsError,
  UnknownTreeError,
} from "./ground/error/docket-error.ts"
export { missingSession } from "./ground/error/missing-session.ts"
export { didYouMean } from "./ground/error/nearest-name.ts"
export type { StoreAway } from "./ground/event/final-writes.ts"
export { addNews, type PeerNews, type Peers } from "./ground/event/peers.ts"
export type { EventPage } from "./ground/event/read-event-page.ts"
export { createGuardedCall, type GuardedCall } from "./ground/fetch/guarded-call.ts"
export { placeOf } from "./ground/fetch/place-of.ts"
export { isPublicAddress } from "./ground/fetch/public-address.ts"
export { readBoundedFile, readBoundedFileSync, unreadableReason } from "./ground/file/read-bounded-file.ts"
export { type CreateId, createIdSource } from "./ground/id/create-id.ts"
export type { OutputPage } from "./ground/schema/output-page.ts"
export type { KeptContent } from "./records/attachment/attachment-service.ts"
export { type AuditLog, createAuditLog, type NewAuditEntry } from "./records/audit/audit-log.ts"
export type { MemoryService } from "./records/memory/memory-service.ts"
export { awaitedAt } from "./records/node/awaited-hosts.ts"
export { createNodeService, type NodeService, type OneProcess } from "./records/node/node-service.ts"
export type {
  ReviewOverview,
  ReviewService,
  SavedDraft,
  TaskReview,
  ThreadView,
  UnjudgedTask,
} from "./records/review/review-service.ts"
export {
  createSearch,
  type FoundRow,
  type FoundRows,
  type SearchHit,
  type SearchPage,
  type SearchService,
} from "./records/search/create-search.ts"
export type { Excerpt } from "./records/search/excerpt.ts"
export type { SessionActivity } from "./records/session/session-activity.ts"
export type { TreeSnapshot } from "./records/session/session-service.ts"
export type { TreePast } from "./records/session/tree-past.ts"
export type { SharePreview } from "./records/share/preview-share.ts"
export type { LinkOnlooker, LinkVisitor } from "./records/share/share-access.ts"
export { hashShareSecret } from "./records/share/share-links.ts"
export type { ListedShare, ShareBatch, SharedMessages, SharedPart, ShareFrame } from "./records/share/share-service.ts"
export type {
  ProposedTodo,
  TodoChangeOrigin,
  TodoEvidence,
  TodoPatch,
  TodoService,
} from "./records/todo/todo-service.ts"
export { maxImportBytes } from "./records/transfer/import-limit.ts"
export type { ExportOptions, ImportReport, TransferService } from "./records/transfer/transfer-service.ts"
export type { WebhookInput, WebhookPatch, WebhookService, WebhookView } from "./records/webhook/webhook-service.ts"
export { createRuntime, loadTurns } from "./runtime/create-runtime.ts"
export type { HostLink } from "./runtime/host-calls.ts"
export type { Offboarding, OffboardingCounts, Runtime, UseCases } from "./runtime/runtime.ts"
export type { RuntimeDeps, SharedStore } from "./runtime/runtime-deps.ts"
export {
  type AgentUseCases,
  createTenants,
  type Tenant,
  type Tenants,
  type TenantsDeps,
  type TenantUseCases,
  type TokenInfo,
} from "./runtime/tenant/create-tenants.ts"
export { workspaceDrawers } from "./runtime/workspace-drawers.ts"
export type { ExplainedAgent, ExplainedRule } from "./setup/agent/explain-agents.ts"
export type {
  ConfigEntry,
  ConfigEntryKind,
  ConfigProblem,
  ConfigReport,
  ConfigTrustState,
  ProjectTrust,
} from "./setup/config/config-report.ts"
export type { ConfigFile, EffectiveConfig, EffectiveValue } from "./setup/config/effective-config.ts"
export type { OtherFile } from "./setup/config/other-programs.ts"
export { userConfigDirectory } from "./setup/config/user-directory.ts"
export type { DirectoryListing } from "./setup/project/projects.ts"
export type { PromptSuggestion } from "./setup/project/suggest-prompts.ts"
export { createProviders, type Providers, type ProvidersDeps } from "./setup/provider/create-providers.ts"
export type { InstructionsText, SkillText, TextsInForce } from "./setup/trust/texts-in-force.ts"
export type { TrustedDirectory } from "./setup/trust/trust-service.ts"
export { createWorkspaces, type WorkspaceSettings } from "./setup/workspace/create-workspaces.ts"
export type { WorkspacePatch, WorkspaceService } from "./setup/workspace/runtime-workspace.ts"
