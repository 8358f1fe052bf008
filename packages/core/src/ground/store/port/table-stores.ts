import type { SearchAsk, SearchKind } from "../../query/index.ts"
import type {
  AuditEntry,
  Caller,
  Change,
  Memory,
  MemoryType,
  Message,
  MessageWithParts,
  Part,
  PermissionRequest,
  ReviewComment,
  ReviewDraft,
  ReviewThread,
  ReviewVerdict,
  ReviewViewed,
  Session,
  SessionListItem,
  Task,
  TaskSummary,
  Todo,
  TodoChange,
  TodoStatus,
  Turn,
  TurnOwner,
  WorkFigures,
} from "../../schema/index.ts"
import type { Page } from "../record/records-port.ts"
import type { ClosedPermission, TreeBatch } from "./tree-change.ts"

/** A tree that nobody sees but this person. */
export interface PrivateTree {
  rootID: string
  person: string
}

/** Turns and answers that were made from `from` on and before `to` (epoch ms). */
export interface UsageQuery {
  from: number
  to: number
  /** How far the clock by which days begin is ahead of UTC (ms). */
  ahead: number
  projectID?: string | undefined
  /** Trees that only somebody else sees do not count; null for every tree. */
  seenBy: string | null
}

/** What was done and spent on one day in one project by one agent with one model. There may be several of the same. */
export interface UsageRow extends WorkFigures {
  /** Days since 1970. */
  day: number
  projectID: string
  agent: string
  /** `provider/model`. */
  model: string
}

export interface SessionStore {
  get(id: string): Promise<Session | null>
  /** Root sessions, most recently updated first. `search` matches titles, ignoring ASCII case. */
  listRoots(query: {
    projectID?: string | undefined
    search?: string | undefined
    archived: boolean
    limit: number
    cursor?: string | undefined
  }): Promise<Page<SessionListItem>>
  /** The rows of these root sessions, those that exist, in any order. */
  listed(rootIDs: readonly string[]): Promise<SessionListItem[]>
  /** Every session of the tree, root first, then by creation. */
  tree(rootID: string): Promise<Session[]>
  children(parentID: string): Promise<Session[]>
  childByOrigin(parentID: string, callID: string): Promise<Session | null>
  usage(query: UsageQuery): Promise<UsageRow[]>
  /** The trees that only one person sees, and who that is. */
  private(): Promise<PrivateTree[]>
}

/** Where the work on a tree is done, and which node does it: each empty when there is none. */
export interface TreeStore {
  /**
   * Where the work of a tree is done: the place that the project of its root had when that was stored; "" for none.
   * Null when there is no such tree.
   */
  place(rootID: string): Promise<string | null>
}

export interface MessagePage {
  items: MessageWithParts[]
  /** Ids of the first and last message when there is more on that side. */
  before: string | null
  after: string | null
}

export interface TranscriptStore {
  /**
   * A window of messages with all their parts, oldest first. Without an anchor: the newest `limit`.
   * `around` is a message id or a part id; the window is centred on it, or the newest when the part is gone.
   */
  page(query: {
    sessionID: string
    before?: string | undefined
    after?: string | undefined
    around?: string | undefined
    limit: number
  }): Promise<MessagePage>
  /** All messages from the last finished compaction summary on (it included), oldest first: what the model sees. */
  sinceCompaction(sessionID: string): Promise<MessageWithParts[]>
  part(partID: string): Promise<Part | null>
  /** The messages and parts of these ids that exist, in any order. */
  named(ids: {
    messageIDs: readonly string[]
    partIDs: readonly string[]
  }): Promise<{ messages: Message[]; parts: Part[] }>
  /** Tool parts of the session that are pending or running. */
  openToolParts(sessionID: string): Promise<Part[]>
  /** Assistant messages of the session without `time.completed`. */
  openMessages(sessionID: string): Promise<Message[]>
}

export interface TurnStore {
  get(id: string): Promise<Turn | null>
  /** Queued and running turns, oldest first, of one session, of a tree or of all. */
  open(scope?: { sessionID?: string; rootID?: string }): Promise<Turn[]>
  /** Every turn of the tree, ended ones too, oldest first. */
  tree(rootID: string): Promise<Turn[]>
}

export interface TaskStore {
  get(id: string): Promise<Task | null>
  /** The newest task that runs or ran in this child session. */
  byChild(sessionID: string): Promise<Task | null>
  byNumber(rootID: string, number: number): Promise<Task | null>
  /** All tasks of the tree by number, with `result` cut to 500 characters. */
  tree(rootID: string): Promise<TaskSummary[]>
  /** Queued and running tasks of a tree or of all, oldest first. */
  open(rootID?: string): Promise<Task[]>
  /** Tasks that wait for a person's approval, oldest first. */
  held(): Promise<Task[]>
  /** Background tasks of a tree or of all that have ended and whose parent was not told, oldest first. */
  undelivered(rootID?: string): Promise<Task[]>
  /** Tasks whose worktree is active, ready or in conflict, and how many more of them cannot be read. */
  withWorktree(): Promise<{ tasks: Task[]; unread: number }>
}

/** Which todos a listing takes. `session` is the union of the session's own items and the tenant-wide ones. */
export type TodoScope = { kind: "all" } | { kind: "tenant" } | { kind: "session"; sessionID: string }

export interface TodoStore {
  /** The session's own list, by position. */
  list(sessionID: string): Promise<Todo[]>
  /** The lists of all sessions of a tree, by session id. */
  tree(rootID: string): Promise<Record<string, Todo[]>>
  get(id: string): Promise<Todo | null>
  byNumber(number: number): Promise<Todo | null>
  /** In progress, pending, completed, cancelled; then by position; then most recently updated first. */
  find(query: {
    scope: TodoScope
    status?: TodoStatus | undefined
    agent?: string | undefined
    limit: number
  }): Promise<Todo[]>
  /** Inserts or replaces a tenant-wide item (its `sessionID` is null). */
  putTenantWide(todo: Todo, change: TodoChange): Promise<void>
  removeTenantWide(todoID: string, change: TodoChange): Promise<void>
  /** Changes of one item, or of a session's list, newest first. */
  history(query: { todoID?: string | undefined; sessionID?: string | undefined; limit: number }): Promise<TodoChange[]>
}

/**
 * A grant that the user gave with "always": it answers later asks in the session `sessionID` and those below it,
 * without one anywhere in the tree of `rootID`.
 */
export interface PermissionGrant {
  id: string
  rootID: string
  sessionID?: string | undefined
  permission: string
  pattern: string
  /** The request that was answered with it, the agent that asked, and who answered; older rows lack them. */
  requestID?: string | undefined
  agent?: string | undefined
  by?: Caller | undefined
  /** Epoch ms. */
  createdAt: number
}

export interface PermissionStore {
  get(id: string): Promise<PermissionRequest | null>
  /** Pending requests, oldest first, of one tree or of all. */
  pending(rootID?: string): Promise<PermissionRequest[]>
  /** Requests of a session that were answered, the newest first. */
  answered(sessionID: string, limit: number): Promise<PermissionRequest[]>
  /** Requests of a project's sessions from then on (epoch ms), the newest first. */
  since(query: { projectID: string; since: number; limit: number }): Promise<PermissionRequest[]>
  grants(rootID: string): Promise<PermissionGrant[]>
  addGrants(grants: PermissionGrant[]): Promise<void>
  /** The grants of all trees, newest first. */
  newestGrants(limit: number): Promise<PermissionGrant[]>
  /** False when there is none of that id. */
  removeGrant(id: string): Promise<boolean>
}

/** The review comments and verdicts on a tree, each oldest first. */
export interface TreeReviews {
  threads: ReviewThread[]
  comments: ReviewComment[]
  verdicts: ReviewVerdict[]
  viewed: ReviewViewed[]
}

/** The last part of a session that somebody has seen; `key` is chosen by the caller, to find the answer again. */
export interface LastSeenPart {
  key: string
  sessionID: string
  last: { messageID: string; partID: string } | null
}

export interface ReviewStore {
  thread(id: string): Promise<ReviewThread | null>
  comment(id: string): Promise<ReviewComment | null>
  verdict(id: string): Promise<ReviewVerdict | null>
  tree(rootID: string): Promise<TreeReviews>
  /** Comments that the agent of this session has read and not answered. */
  unanswered(sessionID: string): Promise<ReviewComment[]>
  /** How many parts that a reader sees came after each mark, by key; nothing for none. */
  newParts(seen: readonly LastSeenPart[]): Promise<Record<string, number>>
  /**
   * Ended tasks on which the person has no valid verdict, the last to end first. Tasks of archived trees and sessions
   * are left out.
   */
  unjudged(query: { person: string; limit: number; cursor?: string | undefined }): Promise<Page<TaskSummary>>
  draft(id: string): Promise<ReviewDraft | null>
  /** The person's own, of one tree, oldest first. */
  drafts(person: string, rootID: string): Promise<ReviewDraft[]>
  /** @throws DocketError session_not_found when it is of a session that does not exist */
  putDraft(draft: ReviewDraft): Promise<void>
  removeDrafts(ids: readonly string[]): Promise<void>
}

export interface MemoryStore {
  /** @throws DocketError session_not_found when it is pinned to a session that does not exist */
  put(memory: Memory): Promise<void>
  get(id: string): Promise<Memory | null>
  byNumber(number: number): Promise<Memory | null>
  remove(id: string): Promise<void>
  /**
   * Newest first. `projectID`/`sessionID` given: that one's entries plus those of neither; both given: those of the
   * project that are not pinned to another session, those pinned to the session, and those of neither.
   */
  list(query: {
    projectID?: string | undefined
    sessionID?: string | undefined
    types?: MemoryType[] | undefined
    /** Exactly this tag. */
    tag?: string | undefined
    /** Includes invalidated ones. */
    all?: boolean | undefined
    limit: number
  }): Promise<Memory[]>
  reserveNumber(): Promise<number>
}

/** A result of a search: the title of a session, or a part of a transcript. */
export interface SearchPlace {
  /** The id of the part, or of the session whose title it is. */
  id: string
  kind: SearchKind
  /** When it came (epoch ms). */
  at: number
  rootID: string
  sessionID: string
  /** Null for a title. */
  messageID: string | null
}

/** How far the index of a store is: both count changes of trees. */
export interface SearchProgress {
  indexed: number
  all: number
}

/** Looks for what is said, done and named anywhere. Archived trees and what is undone or removed are not found. */
export interface SearchStore {
  /**
   * The matches, newest first. At least one when there is any behind `cursor`, unless `next` says where to continue.
   * @throws DocketError invalid_input when `cursor` is not a `next` of an earlier page
   */
  find(query: {
    ask: SearchAsk
    limit: number
    cursor?: string | undefined
  }): Promise<{ found: SearchPlace[]; next: string | null }>
  /**
   * Takes up to `limit` changed parts of one tree into the index, fewer of long ones. False when nothing was left to
   * take; a text or call that still grows is taken once it has ended or when its tree changes again.
   */
  index(limit: number): Promise<boolean>
  progress(): Promise<SearchProgress>
}

/** A change, or that a row changed which this version cannot read. */
export type FeedChange = Change | { rootID: string; seq: number; kind: "unreadable" }

export interface FeedStore {
  /** The tree's newest sequence number, or null when there is no such tree. */
  head(rootID: string): Promise<number | null>
  /** The newest numbers of these trees, also of removed ones. */
  heads(rootIDs: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Changes with a larger `seq`, in order, at most `limit`. A row that changed twice appears once, with its last
   * seq, so a part may come before its message. Sessions made after `seq` are `created`; nothing is `quiet`. Of a
   * removed tree, the removal of its root stays.
   */
  changesSince(rootID: string, seq: number, limit: number): Promise<FeedChange[]>
}

export interface WriteStore {
  /**
   * Applies all batches in one transaction and numbers the changes of each tree gaplessly in the given
   * order. Session patches and todo replacements answer with the whole resulting row or list.
   * @throws StaleTurnError when a fence does not hold; AlreadyMadeError for what is not fresh or not new;
   *   UnknownTreeError when the root session does not exist (a batch whose first mutation creates the root is fine; a
   *   removed root does not come back); TaskDeliveredError when the result of a task was delivered before;
   *   CommentSentError when a comment to send was sent before; DocketError session_not_found or message_not_found when
   *   a row belongs to one that does not exist. Nothing is applied then.
   */
  commit(batches: TreeBatch[]): Promise<Change[]>
  /**
   * Claims a queued or interrupted turn: running, attempt + 1, epoch + 1. Null when another claim won, the turn ended,
   * or it must wait: an earlier turn of the session is queued, or one runs whose owner's lease is valid at `now`.
   */
  claimTurn(turnID: string, now: number, owner?: TurnOwner): Promise<Change | null>
  /** Answers a pending request with how it is to be closed. Null when it is no longer pending. */
  closePermission(id: string, closed: ClosedPermission): Promise<Change | null>
  /** Reserves `count` todo numbers of the tenant and returns the first. */
  reserveTodoNumbers(count: number): Promise<number>
}

/** Which entries of the audit log. Times are epoch ms. */
export interface AuditQuery {
  person?: string | undefined
  act?: string | undefined
  since?: number | undefined
  until?: number | undefined
  /** In an id or name of a target, a fact or the person's name, ignoring ASCII case. */
  text?: string | undefined
  /** Only what was written before the entry of this id. */
  before?: string | undefined
  limit: number
}

/** The audit log. Entries never change, and are deleted when they are old. */
export interface AuditStore {
  add(entries: readonly AuditEntry[]): Promise<void>
  /** The entries, newest first. */
  read(query: AuditQuery): Promise<AuditEntry[]>
  /** Removes what is from before then, and answers how many that were. */
  prune(before: number): Promise<number>
}
