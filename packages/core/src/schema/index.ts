export { Agent } from "./agent.ts"
export { MessageError } from "./error.ts"
export { type DocketEvent, type EventProperties, type EventType, eventSchemas, type FeedItem } from "./event.ts"
export {
  GrantID,
  type IdKind,
  idPrefix,
  MessageID,
  PartID,
  PermissionID,
  ProjectID,
  SessionID,
  ShareID,
  TodoID,
  TurnID,
} from "./ids.ts"
export { AssistantMessage, Message, MessageWithParts, UserMessage } from "./message.ts"
export { ModelCost, ModelInfo, ModelRef, ProviderInfo, TokenUsage } from "./model.ts"
export {
  AgentPart,
  CompactionPart,
  FilePart,
  Part,
  PatchPart,
  ReasoningPart,
  RetryPart,
  SnapshotPart,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  TextPart,
  ToolPart,
  ToolState,
} from "./part.ts"
export {
  PermissionAction,
  PermissionConfig,
  PermissionReply,
  PermissionRequest,
  PermissionRule,
  PermissionRuleset,
} from "./permission.ts"
export { Project } from "./project.ts"
export { Session, SessionStatus } from "./session.ts"
export { Share } from "./share.ts"
export { Todo, TodoInput, TodoPriority, TodoStatus } from "./todo.ts"
export { PromptInput, PromptPart, Turn } from "./turn.ts"
