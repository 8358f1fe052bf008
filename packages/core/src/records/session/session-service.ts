import type {
  LeftFile,
  ModelRef,
  Part,
  PermissionPreset,
  PermissionRequest,
  PromptInput,
  Session,
  SessionVisibility,
  TaskSummary,
  Todo,
  Turn,
} from "../../ground/schema/index.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import type { MessagePage, Page, SessionListItem } from "../../ground/store/index.ts"
import type { SessionActivity } from "./session-activity.ts"
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
    /** That of the request's key; a new one when left out. */
    id?: string | undefined
    projectID: string
    title?: string | undefined
    agent?: string | undefined
    model?: ModelRef | undefined
    variant?: string | undefined
    preset?: PermissionPreset | undefined
    /** Who sees it; what the workspace says when left out. */
    visibility?: SessionVisibility | undefined
  }): Promise<Session>
  /**
   * Makes a session with its first prompt, each once for a `request` with a key. When the prompt is refused, there is no
   * session. @throws as `create` and the prompt do
   */
  start(
    input: Parameters<SessionService["create"]>[0] & Pick<PromptInput, "parts">,
    request?: string,
  ): Promise<{ session: Session; turn: Turn }>
  list(query: {
    projectID?: string | undefined
    search?: string | undefined
    archived?: boolean | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<Page<SessionListItem>>
  get(id: string): Promise<Session>
  /** The tree that contains the session, whichever member `id` is. */
  tree(id: string): Promise<TreeSnapshot>
  /** What the session did over its whole time, for a line of it. */
  work(id: string): Promise<SessionActivity>
  /** When what happened in the tree that contains the session, for a replay. */
  past(id: string): Promise<TreePast>
  children(id: string): Promise<Session[]>
  update(
    id: string,
    patch: {
      title?: string | undefined
      archived?: boolean | undefined
      agent?: string | undefined
      /** Another model takes the variant away, unless one is named with it. */
      model?: ModelRef | undefined
      /** Null for none. */
      variant?: string | null | undefined
    },
  ): Promise<Session>
  /**
   * How much the session and those below it may do unasked, from the next judgement on; null for what the rules say
   * alone. What waits for an answer and is allowed by it goes on; nothing that waits is rejected.
   */
  setPreset(id: string, preset: PermissionPreset | null): Promise<Session>
  /** Who sees the tree that contains the session. Only who started it may say. @throws invalid_input for anybody else */
  setVisibility(id: string, visibility: SessionVisibility): Promise<Session>
  /** The caller has read the transcript up to the end of a turn at `at` (epoch ms). A later end stays unread. */
  markRead(id: string, at: number): Promise<Session>
  /** Stops the subtree, then removes it. */
  remove(id: string): Promise<void>
  /**
   * Undoes a root session from one user message on, that included: conversation, todo list and files. The next
   * prompt removes the undone part for good. @throws session_busy, message_not_found, invalid_input
   */
  revert(id: string, messageID: string): Promise<Session>
  /** Brings back what is undone. `left` are files that changed since. @throws session_busy, invalid_input */
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
   * The full output of a call that was too long for the model, from a byte on that a page before named. It is kept for
   * a week. @throws message_not_found, output_not_found
   */
  output(partID: string, from?: number): Promise<OutputPage>
}
