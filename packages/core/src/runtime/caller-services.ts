import type { PermissionService } from "../acts/permission/permission-answer.ts"
import type { SandboxService } from "../acts/sandbox/sandbox-service.ts"
import type { AgentFileService } from "../engine/agent-file/agent-file-service.ts"
import type { ChangeService } from "../engine/changes/change-service.ts"
import type { TaskService } from "../engine/delegation/task-service.ts"
import type { PlanService } from "../engine/plan/plan-service.ts"
import type { Act, PreviewedAct } from "../engine/policy-preview/preview-act.ts"
import type { HistoryQuery, PreviewedHistory } from "../engine/policy-preview/preview-history.ts"
import type { ToolList } from "../engine/policy-preview/preview-tools.ts"
import type { ProjectReading } from "../engine/project-reading/project-reading.ts"
import type { ScheduleService } from "../engine/schedule/schedule-service.ts"
import type { PromptService } from "../engine/turn/prompts.ts"
import type { EventPage, EventPageQuery } from "../ground/event/read-event-page.ts"
import type {
  Agent,
  AwaitedProject,
  BegunSignIn,
  ChangeDescription,
  EditorReader,
  ExtensionRef,
  FeedItem,
  LanguageServerState,
  ListedExtension,
  ModelRef,
  NamedPlace,
  PromptCommand,
  PromptCompletion,
  SignInChoice,
  Turn,
  ViewerTab,
} from "../ground/schema/index.ts"
import type { AttachmentService } from "../records/attachment/attachment-service.ts"
import type { EditorService } from "../records/editor/create-editors.ts"
import type { MemoryService } from "../records/memory/memory-service.ts"
import type { PresenceService } from "../records/presence/create-presence.ts"
import type { ReviewService } from "../records/review/review-service.ts"
import type { SearchService } from "../records/search/create-search.ts"
import type { SessionService } from "../records/session/session-service.ts"
import type { ShareService } from "../records/share/share-service.ts"
import type { TodoService } from "../records/todo/todo-service.ts"
import type { TransferService } from "../records/transfer/transfer-service.ts"
import type { WebhookService } from "../records/webhook/webhook-service.ts"
import type { ExplainedAgent } from "../setup/agent/explain-agents.ts"
import type { ProjectService } from "../setup/project/projects.ts"
import type { ProviderService } from "../setup/provider/create-providers.ts"
import type { Credentials } from "../setup/repository/credentials.ts"
import type { ConfigService } from "../setup/trust/trust-service.ts"
import type { WorkspaceService } from "../setup/workspace/runtime-workspace.ts"

type NamedExtension = Pick<ExtensionRef, "kind" | "name">

/** The use cases of one caller, without visibility checks and request keys: operations add those. */
export interface CallerServices {
  project: ProjectService &
    ProjectReading & {
      /** The projects whose sessions wait for a host. */
      awaited(): Promise<AwaitedProject[]>
      /** Where directories can be opened. */
      places(): Promise<NamedPlace[]>
    }
  credential: Pick<Credentials, "list" | "save" | "remove">
  session: SessionService
  prompt: PromptService
  /**
   * Stops the session and everything under it, queued prompts included. Resolves when all have stopped, with the
   * session's own prompts that were still waiting: no agent has read them.
   */
  abort(sessionID: string): Promise<Turn[]>
  todo: TodoService
  task: TaskService
  changes: ChangeService & {
    /**
     * Lets a model describe the tree's changes, and stores what it writes on the root session.
     * @throws session_not_found, invalid_input, no_model_available
     */
    describe(sessionID: string): Promise<ChangeDescription>
  }
  memory: MemoryService
  schedule: ScheduleService
  webhook: WebhookService
  permission: PermissionService
  plan: PlanService
  agent: AgentFileService & {
    list(projectID: string): Promise<Agent[]>
    /** Agents with their effective rules, and where both come from, as shown to users. */
    explain(projectID: string): Promise<ExplainedAgent[]>
    /**
     * The decision of a project's rules on an act of an agent, without performing it. `under` names the agent that
     * delegates to it, whose rights it cannot exceed; null for none.
     * @throws agent_not_found
     */
    judge(projectID: string, act: Act & { agent: string; under: string | null }): Promise<PreviewedAct>
    /** What other rules would have decided on past acts and requests of the project's agents. Changes nothing. */
    previewHistory(projectID: string, query: HistoryQuery): Promise<PreviewedHistory>
  }
  command: {
    /** The commands of a project that prompts can use as `/name`: Docket's own, then those from files. */
    list(projectID: string): Promise<PromptCommand[]>
  }
  tool: {
    /**
     * The tools of an agent with a model, and why some are not offered.
     * @throws agent_not_found
     */
    list(projectID: string, asked: { agent: string; model?: ModelRef | undefined }): Promise<ToolList>
  }
  provider: ProviderService
  config: ConfigService
  sandbox: SandboxService
  lsp: {
    /** The language servers of a project, running or not. Empty for a service without language servers. */
    list(projectID: string): Promise<LanguageServerState[]>
    /** Stops a server in a project. The next file that needs it starts it again. */
    restart(projectID: string, server: string): Promise<void>
  }
  extension: {
    /** The extensions of a project, those of the user too. Here and below, without a project: those of the user alone. */
    list(projectID: string | undefined): Promise<ListedExtension[]>
    /** @throws invalid_input when the project has no such extension */
    switch(projectID: string, named: NamedExtension, state: "on" | "off"): Promise<"on" | "off">
    /**
     * Takes its entry out of the user's docket.json, and forgets what was kept of it.
     * @throws invalid_input when another file or a project brings it; config_invalid, config_changed, file_not_written
     */
    uninstall(projectID: string | undefined, named: NamedExtension): Promise<void>
    /** Ends it; it starts again when it is needed. @throws as `switch` */
    restart(projectID: string, named: NamedExtension): Promise<void>
    /**
     * Begins the caller's sign-in to it; null when nothing more is needed.
     * @throws invalid_input with what the extension or its sign-in said
     */
    signIn(
      projectID: string | undefined,
      named: NamedExtension,
      how: { method: "browser" | "device"; forAll: boolean; choice?: SignInChoice | undefined },
    ): Promise<BegunSignIn | null>
    /** Ends it with the address to which the browser was sent, or with a code. @throws as `signIn` */
    finishSignIn(projectID: string | undefined, named: NamedExtension, address: string): Promise<void>
    signOut(projectID: string | undefined, named: NamedExtension, how: { forAll: boolean }): Promise<void>
    start(projectID: string | undefined, named: NamedExtension): Promise<ListedExtension>
    complete(projectID: string, text: string, signal: AbortSignal | null): Promise<PromptCompletion | null>
  }
  share: ShareService
  review: ReviewService
  search: SearchService
  presence: PresenceService
  editor: EditorService
  transfer: TransferService
  attachment: AttachmentService
  workspace: WorkspaceService
  /** A page of the events of one tree, after a cursor. @throws session_not_found */
  eventPage(query: EventPageQuery, signal: AbortSignal): Promise<EventPage>
  /**
   * Events of one tree: stored ones newer than `since` first, then live ones with deltas. `others` adds those events of
   * other trees that the session list needs (session.*, permission.*, turn.updated, config.updated); `whole` adds all events of other trees. Ends when the
   * signal aborts. Meanwhile others see the caller as a `viewer` of the tree, and an `editor` of the caller is asked
   * about the tree: for texts that it has not saved, and to run commands.
   */
  feed(
    query: {
      rootID?: string | undefined
      since?: number | undefined
      others: boolean
      whole?: boolean | undefined
      viewer?: ViewerTab | undefined
      editor?: EditorReader | undefined
    },
    signal: AbortSignal,
  ): AsyncIterable<FeedItem>
}
