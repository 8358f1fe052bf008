export { AcpConfig } from "./acp-config.ts"
export { Agent, AgentForm, type AgentRights } from "./agent.ts"
export { Attachment, attachedHash, attachmentAddress, ContentHash, FileFacts, leftOutAddress } from "./attachment.ts"
export { AuditAct, AuditEntry, auditActs } from "./audit.ts"
export { AwaitedHost, AwaitedProject, NamedPlace } from "./awaited-host.ts"
export { ApiToken, Caller, Role } from "./caller.ts"
export type { Change } from "./change.ts"
export { Content, ContentKind } from "./content.ts"
export { EditorAnswer, EditorAsk, EditorReader } from "./editor.ts"
export { MessageError } from "./error.ts"
export type { DocketEvent, EventProperties, EventsWith, EventType, FeedItem } from "./event.ts"
export {
  BegunSignIn,
  ExtensionItem,
  ExtensionRef,
  ExtensionRemoval,
  ExtensionSwitch,
  ExtensionUse,
  ListedExtension,
  PluginAdditions,
  PromptCompletion,
  SignInChoice,
  SignInPrompt,
  SignInWay,
} from "./extension.ts"
export { builtinFormatters, FormatterConfig } from "./formatter-config.ts"
export { type HookEvent, HookGroup, HookHandler, HooksConfig, hookEvents, otherHookEvents } from "./hooks-config.ts"
export { type IdKind, idPrefix } from "./id-prefix.ts"
export {
  ApiTokenID,
  AttachmentID,
  ContentID,
  GrantID,
  HostID,
  MemoryID,
  MessageID,
  NodeID,
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
export { LanguageServerState } from "./language-server.ts"
export { localPerson } from "./local-person.ts"
export { builtinServers, LspConfig } from "./lsp-config.ts"
export {
  McpConfig,
  type McpLocal,
  McpName,
  type McpOAuth,
  type McpRemote,
  type McpServer,
  McpServerConfig,
  mcpPrefix,
} from "./mcp-config.ts"
export { Memory, MemoryType } from "./memory.ts"
export {
  AssistantMessage,
  Message,
  type MessageChange,
  type MessageProgram,
  MessageWithParts,
  UserMessage,
} from "./message.ts"
export { ModelCost, ModelInfo, ModelRef, ProviderInfo, TokenUsage } from "./model.ts"
export { CataloguedProvider, CatalogueState, FactsSource, KeptProvider, ModelFacts } from "./model-facts.ts"
export { Host, Node, NodeFacts, NodeRole, NodeUse } from "./node.ts"
export { ListedNode, NodeList, NodeState, nodeGoneAfterMs, PlaceQueue } from "./node-list.ts"
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
  type AskedProgramCall,
  type AskedServer,
  ChosenPreset,
  CommandEffects,
  GrantScope,
  PermissionAction,
  PermissionConfig,
  PermissionMemory,
  PermissionMetadata,
  PermissionPreset,
  PermissionReason,
  PermissionReply,
  PermissionRequest,
  PermissionRule,
  PermissionRuleset,
  StandingGrant,
} from "./permission.ts"
export { Place } from "./place.ts"
export { escapedName, isPlainName, plainNameRule } from "./plain-name.ts"
export { Presence, Viewer, ViewerPlace, ViewerTab } from "./presence.ts"
export { CommandExpansion, CommandOrigin, CommandPiece, PromptCommand } from "./prompt-command.ts"
export { ExactPackage, InstalledPackage, PackageFacts } from "./provider-package.ts"
export {
  type Credential,
  CredentialName,
  Repository,
  SessionRepository,
  SessionSubmodule,
  Subdirectory,
} from "./repository.ts"
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
export { LimitMeans, LimitName, LimitOver, SandboxLimits, SandboxState } from "./sandbox-limits.ts"
export { Schedule, ScheduleRun } from "./schedule.ts"
export {
  ChangeDescription,
  LeftFile,
  Session,
  SessionEnd,
  SessionImport,
  SessionListItem,
  SessionNote,
  SessionRevert,
  SessionStatus,
  TurnStop,
  WorkingSession,
} from "./session.ts"
export { FileAttachment, FileOutput, FileSession, FileTurn, SessionFile, sessionFileFormat } from "./session-file.ts"
export { Share, ShareDecisions, ShareInfo, ShareOptions, SharePassword } from "./share.ts"
export { ShownName, shownName, shownNameUpTo } from "./shown-name.ts"
export { SessionStats, type WorkFigures } from "./stats.ts"
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
export { Question, QuestionAnswer, QuestionOption } from "./tool-metadata.ts"
export { ToolSwitches } from "./tool-switches.ts"
export { PromptInput, PromptPart, Turn, TurnOwner, TurnTrace } from "./turn.ts"
export {
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEvent,
  WebhookPayload,
  webhookEvents,
  webhookPayloads,
} from "./webhook.ts"
export { ConfigTrust, Project, SessionVisibility, Workspace } from "./workspace.ts"
