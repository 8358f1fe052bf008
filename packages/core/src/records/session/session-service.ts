import type {
  LeftFile,
  ModelRef,
  Part,
  PermissionPreset,
  PermissionRequest,
  PermissionRule,
  PromptInput,
  Session,
  SessionStats,
  SessionVisibility,
  TaskSummary,
  Todo,
  ToolSwitches,
  Turn,
  WorkingSession,
} from "../../ground/schema/index.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import type { MessagePage, Page, SessionListItem } from "../../ground/store/index.ts"
import type { SessionActivity } from "./session-activity.ts"
import type { StatsQuery } from "./session-stats.ts"
import type { TreePast } from "./tree-past.ts"

/** A whole tree without its messages, and the sequence number to subscribe from. */
export interface TreeSnapshot {
  seq: number
  sessions: Session[]
  todos: Record<string, Todo[]>
  permissions: PermissionRequest[]
  /** Queued and running turns. */
  turns: Turn[]
  tasks: TaskSummary[]
}

export interface SessionService {
  create(input: {
    /** The id that belongs to the request's key; without it a new id is made. */
    id?: string | undefined
    projectID: string
    title?: string | undefined
    agent?: string | undefined
    model?: ModelRef | undefined
    variant?: string | undefined
    preset?: PermissionPreset | undefined
    /** Default: the setting of the workspace. */
    visibility?: SessionVisibility | undefined
    /** Tools that the session does without. */
    tools?: ToolSwitches | undefined
    /** What it may not do, whatever its agent may. */
    deny?: Pick<PermissionRule, "permission" | "pattern">[] | undefined
  }): Promise<Session>
  /** Creates a child that does nothing yet: a task gives it work. @throws depth_limit, agent_not_found */
  createChild(
    parentID: string,
    input: { title: string; agent?: string | undefined; tools?: ToolSwitches | undefined },
  ): Promise<Session>
  /**
   * Creates a session with its first prompt, once for each request key. When the prompt is refused, no session remains.
   * @throws as `create` and the prompt do
   */
  start(
    input: Parameters<SessionService["create"]>[0] & Pick<PromptInput, "parts" | "tools" | "outputSchema">,
    request?: string,
  ): Promise<{ session: Session; turn: Turn }>
  /**
   * Copies the conversation of a root session into a new one: the messages before `messageID`, or all. With `worktree`, the
   * files of that moment too, into a git worktree in which the copy works. `id` belongs to the request's key.
   * @throws invalid_input, message_not_found, worktree_failed
   */
  fork(
    id: string,
    given: { messageID?: string | undefined; worktree?: boolean | undefined; id?: string | undefined },
  ): Promise<Session>
  list(query: {
    projectID?: string | undefined
    search?: string | undefined
    archived?: boolean | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<Page<SessionListItem>>
  /** The sessions of the `limit` trees that were updated last, children too, newest tree first. */
  recent(query: { projectID?: string | undefined; search?: string | undefined; limit: number }): Promise<Session[]>
  /** The sessions with a prompt or a task that waits or runs, in any order, of one project or of all. */
  working(query: { projectID?: string | undefined }): Promise<WorkingSession[]>
  /** What was done and spent in the trees that the person sees; in all of them for null. */
  stats(query: StatsQuery, person: string | null): Promise<SessionStats>
  get(id: string): Promise<Session>
  /** The tree that contains the session, whichever member `id` is. */
  tree(id: string): Promise<TreeSnapshot>
  /** The spans for the session's line in an overview of agents. */
  work(id: string): Promise<SessionActivity>
  /** The times of events in the tree that contains the session, for a replay. */
  past(id: string): Promise<TreePast>
  children(id: string): Promise<Session[]>
  update(
    id: string,
    patch: {
      title?: string | undefined
      archived?: boolean | undefined
      agent?: string | undefined
      /** A new model removes the variant, unless one is given too. */
      model?: ModelRef | undefined
      /** Null for none. */
      variant?: string | null | undefined
    },
  ): Promise<Session>
  /**
   * Sets what the session and its descendants may do without asking; null leaves it to the rules. Pending requests that it
   * allows continue; none is rejected.
   */
  setPreset(id: string, preset: PermissionPreset | null): Promise<Session>
  /** Sets who sees the tree of the session. @throws invalid_input for anyone except the user who started the session */
  setVisibility(id: string, visibility: SessionVisibility): Promise<Session>
  /** Marks turns that ended up to `at` (epoch ms) as read by the caller. */
  markRead(id: string, at: number): Promise<Session>
  /** Stops the subtree, then removes it. */
  remove(id: string): Promise<void>
  /**
   * Undoes a root session from a user message on, or from the step of an answer that has the part `partID`: conversation,
   * todo list and files. The next prompt deletes the undone part. @throws session_busy, message_not_found, invalid_input
   */
  revert(id: string, messageID: string, partID?: string): Promise<Session>
  /** Redoes what is undone. `left` are files that changed since and stay as they are. @throws session_busy, invalid_input */
  unrevert(id: string): Promise<{ session: Session; left: LeftFile[] }>
  /** `seq` was read before the page: events with a larger one may already be in it. */
  messages(query: {
    sessionID: string
    before?: string | undefined
    after?: string | undefined
    around?: string | undefined
    limit?: number | undefined
  }): Promise<MessagePage & { seq: number }>
  part(id: string): Promise<Part>
  /**
   * A page of the full output of a call, when it was too long for the model. Pages name the byte where the next one starts.
   * Outputs are kept for a week. @throws message_not_found, output_not_found
   */
  output(partID: string, from?: number): Promise<OutputPage>
}
