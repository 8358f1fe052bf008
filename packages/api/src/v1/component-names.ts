import { FeedItemSchema } from "@docket/core/events"
import {
  AgentPart,
  AssistantMessage,
  Caller,
  CataloguedProvider,
  CatalogueState,
  CommandExpansion,
  CompactionPart,
  FilePart,
  LanguageServerState,
  ListedExtension,
  Memory,
  Message,
  MessageError,
  MessageWithParts,
  ModelRef,
  Notice,
  Part,
  PatchPart,
  PermissionMetadata,
  PermissionRequest,
  PermissionRule,
  Presence,
  Project,
  PromptInput,
  PromptPart,
  ReasoningPart,
  RetryPart,
  ReviewAnchor,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Schedule,
  ScheduleRun,
  Session,
  SessionListItem,
  SessionRevert,
  SessionStatus,
  ShareInfo,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  Task,
  TaskSummary,
  TextPart,
  Todo,
  TokenUsage,
  ToolPart,
  ToolState,
  Turn,
  UserMessage,
  Workspace,
} from "@docket/core/schema"
import type { z } from "zod"

/** What the document describes once, by its name there. */
const named = {
  AgentPart,
  AssistantMessage,
  Caller,
  CataloguedProvider,
  CatalogueState,
  CommandExpansion,
  CompactionPart,
  FilePart,
  LanguageServerState,
  ListedExtension,
  Memory,
  Message,
  MessageError,
  MessageWithParts,
  ModelRef,
  Notice,
  Part,
  PatchPart,
  PermissionMetadata,
  PermissionRequest,
  PermissionRule,
  Presence,
  Project,
  PromptInput,
  PromptPart,
  ReasoningPart,
  RetryPart,
  ReviewAnchor,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Schedule,
  ScheduleRun,
  Session,
  SessionListItem,
  SessionRevert,
  SessionStatus,
  ShareInfo,
  StepFinishPart,
  StepStartPart,
  SubtaskPart,
  Task,
  TaskSummary,
  TextPart,
  Todo,
  TokenUsage,
  ToolPart,
  ToolState,
  Turn,
  UserMessage,
  Workspace,
  Event: FeedItemSchema,
}

const names = new Map<z.core.$ZodType, string>([
  ...Object.entries(named).map(([name, schema]): [z.core.$ZodType, string] => [schema, name]),
  ...eventSchemas().map((schema): [z.core.$ZodType, string] => [schema, eventName(schema)]),
])

/** The name of the component that describes a schema of rows or events; undefined for one that is described in place. */
export function componentName(schema: z.core.$ZodType): string | undefined {
  return names.get(schema)
}

function eventSchemas(): z.core.$ZodObject[] {
  // `FeedItemSchema` is a union of one object for each type of event.
  return (FeedItemSchema._zod.def as z.core.$ZodUnionDef).options as z.core.$ZodObject[]
}

/** `session.created` becomes `SessionCreatedEvent`. */
function eventName({ _zod: { def } }: z.core.$ZodObject): string {
  const [type] = (def.shape.type as z.core.$ZodLiteral)._zod.def.values
  return `${String(type).replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}Event`
}
