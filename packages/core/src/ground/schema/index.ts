export { Agent } from "./agent.ts"
export { AgentForm, type AgentRights } from "./agent-form.ts"
export { ApiToken } from "./api-token.ts"
export { AuditAct, AuditEntry, auditActs } from "./audit.ts"
export { Caller } from "./caller.ts"
export type { Change } from "./change.ts"
export { ConfigTrust } from "./config-trust.ts"
export { MessageError } from "./error.ts"
export type { DocketEvent, EventProperties, EventsWith, EventType, FeedItem } from "./event.ts"
export { type IdKind, idPrefix } from "./id-prefix.ts"
export {
  ApiTokenID,
  GrantID,
  MemoryID,
  MessageID,
  PartID,
  PermissionID,
  ProjectID,
  ReviewCommentID,
  ReviewThreadID,
  ReviewVerdictID,
  ScheduleID,
  ScheduleRunID,
  SessionID,
  ShareID,
  TaskID,
  TodoChangeID,
  TodoID,
  TurnID,
  WebhookDeliveryID,
  WebhookID,
} from "./ids.ts"
export { importedCaller, importedPerson, isImportedPerson } from "./imported-person.ts"
export { localPerson } from "./local-person.ts"
export { Memory, MemoryType } from "./memory.ts"
export { AssistantMessage, Message, MessageWithParts, UserMessage } from "./message.ts"
export { ModelCost, ModelInfo, ModelRef, ProviderInfo, TokenUsage } from "./model.ts"
export { CommandLine, CommandResult, EndedTask, Notice, Speaker } from "./notice.ts"
export {
  AgentPart,
  CompactionPart,
  FilePart,
  Part,
  PatchPart,
  ReasoningPart,
  RetryPart,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  TextPart,
  ToolPart,
  ToolState,
} from "./part.ts"
export {
  GrantScope,
  PermissionAction,
  PermissionConfig,
  PermissionMemory,
  PermissionReason,
  PermissionReply,
  PermissionRequest,
  PermissionRule,
  PermissionRuleset,
} from "./permission.ts"
export { CommandEffects, PermissionMetadata } from "./permission-metadata.ts"
export { ChosenPreset, PermissionPreset } from "./permission-preset.ts"
export { Presence, Viewer, ViewerPlace, ViewerTab } from "./presence.ts"
export { Project } from "./project.ts"
export { CommandExpansion, CommandOrigin, CommandPiece, PromptCommand } from "./prompt-command.ts"
export { ExactPackage, InstalledPackage, PackageFacts } from "./provider-package.ts"
export { Question, QuestionAnswer, QuestionOption } from "./question.ts"
export {
  AnchoredText,
  DiffScope,
  ReviewAnchor,
  ReviewComment,
  ReviewDraft,
  ReviewedState,
  ReviewPlace,
  ReviewSending,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  VerdictKind,
} from "./review.ts"
export { Role } from "./role.ts"
export { SandboxState } from "./sandbox.ts"
export { LimitMeans, LimitName, LimitOver, SandboxLimits } from "./sandbox-limits.ts"
export { Schedule, ScheduleRun } from "./schedule.ts"
export {
  LeftFile,
  Session,
  SessionEnd,
  SessionImport,
  SessionListItem,
  SessionNote,
  SessionRevert,
  SessionStatus,
  TurnStop,
} from "./session.ts"
export { FileOutput, FileSession, FileTurn, SessionFile, sessionFileFormat } from "./session-file.ts"
export { Share, ShareDecisions, ShareInfo, ShareOptions, SharePassword } from "./share.ts"
export { ShownName, shownName, shownNameUpTo } from "./shown-name.ts"
export { StandingGrant } from "./standing-grant.ts"
export {
  Task,
  TaskAnswer,
  TaskError,
  TaskLimits,
  TaskMoment,
  TaskSize,
  TaskState,
  TaskSummary,
  TaskWorktree,
  TreeBudget,
} from "./task.ts"
export { Todo, TodoActor, TodoChange, TodoInput, TodoPlan, TodoPriority, TodoStatus } from "./todo.ts"
export { tokenPerson } from "./token-person.ts"
export { PromptInput, PromptPart, Turn, TurnOwner } from "./turn.ts"
export {
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEvent,
  WebhookPayload,
  webhookEvents,
  webhookPayloads,
} from "./webhook.ts"
export { SessionVisibility, Workspace } from "./workspace.ts"
