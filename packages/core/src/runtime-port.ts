import type { Closure } from "./config/closure.ts"
import type { Config } from "./config/schema.ts"
import type {
  Agent,
  FeedItem,
  LeftFile,
  Memory,
  MemoryType,
  ModelRef,
  Part,
  PermissionReply,
  PermissionRequest,
  Project,
  PromptInput,
  ProviderInfo,
  Schedule,
  ScheduleRun,
  Session,
  Share,
  Task,
  TaskSummary,
  Todo,
  TodoActor,
  TodoChange,
  TodoInput,
  TodoPriority,
  TodoStatus,
  Turn,
} from "./schema/index.ts"
import type { MessagePage, Page, SessionListItem, TodoScope } from "./store/index.ts"

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

/** What a person or another program sets on a todo. Absent fields stay as they are. */
export interface TodoPatch {
  content?: string | undefined
  description?: string | undefined
  status?: TodoStatus | undefined
  priority?: TodoPriority | undefined
  /** Place in its list from 0; the others move. */
  position?: number | undefined
  /** Instead of a place: the position to store as it is. The others stay, so gaps and equal ones may come about. */
  exactPosition?: number | undefined
  /** Ids, numbers or exact contents of todos of the same list, or ids and numbers of tenant-wide ones. */
  dependsOn?: string[] | undefined
  owner?: Todo["owner"] | undefined
  proposed?: Todo["proposed"] | undefined
  /** Epoch ms. Without it a change into a terminal status stamps the time and reopening clears it. */
  completed?: number | null | undefined
}

/** The parts of the transcript that ran while a todo was in progress. */
export interface TodoEvidence {
  sessionID: string
  /** First and last part of one stretch of work; `toPartID` is null while it goes on. */
  spans: { fromPartID: string | null; toPartID: string | null; startedAt: number; endedAt: number | null }[]
}

export interface TodoService {
  /** The session's own list. */
  list(sessionID: string): Promise<Todo[]>
  /** Every list of a tree, for the roll-up under the parent's. */
  tree(sessionID: string): Promise<Record<string, Todo[]>>
  find(query: {
    scope: TodoScope
    status?: TodoStatus | undefined
    agent?: string | undefined
    limit?: number | undefined
  }): Promise<Todo[]>
  /** By id or number. @throws todo_not_found */
  get(ref: string | number): Promise<Todo>
  replace(sessionID: string, items: TodoInput[], by: TodoChangeOrigin): Promise<Todo[]>
  /** Replaces the list as an agent does that may not know how it stands. @returns it, and what is not as it was sent */
  write(
    sessionID: string,
    items: TodoInput[],
    by: TodoChangeOrigin,
    sight: TodoSight,
  ): Promise<{ todos: Todo[]; remarks: string[] }>
  /** `sessionID: null` makes a tenant-wide item. */
  create(
    input: { sessionID: string | null; content: string; agent?: string | null | undefined } & TodoPatch,
    by: TodoChangeOrigin,
  ): Promise<Todo>
  /** @throws todo_not_found, todo_blocked (names the blockers), todo_cycle */
  update(ref: string | number, patch: TodoPatch, by: TodoChangeOrigin): Promise<Todo>
  remove(ref: string | number, by: TodoChangeOrigin): Promise<void>
  history(query: {
    todoID?: string | undefined
    sessionID?: string | undefined
    limit?: number | undefined
  }): Promise<TodoChange[]>
  evidence(ref: string | number): Promise<TodoEvidence | null>
}

/** What an agent knows of a list. */
export interface TodoSight {
  /** When it last saw it (epoch ms); 0 for never. */
  at: number
  /** The tool call in which it saw it: its own changes are known. */
  partID: string | null
  /** Whether a change that an agent made is its own. */
  isOwn(messageID: string | null): boolean
}

/** Who changes a todo, and the tool call in which they do. */
export interface TodoChangeOrigin {
  actor: TodoActor
  messageID?: string | undefined
  partID?: string | undefined
}

export interface TaskService {
  /** All tasks of the tree that contains the session, by number. */
  list(sessionID: string): Promise<TaskSummary[]>
  /** @throws task_not_found */
  get(id: string): Promise<Task>
  /** Ends a queued or running task with everything under it; a task that ended stays as it is. */
  cancel(id: string): Promise<Task>
  /** Gives a running child a message that it takes at its next step. @throws task_ended */
  message(id: string, text: string): Promise<Task>
  /** Lets the parent go on without waiting. @throws task_ended */
  background(id: string): Promise<Task>
  /** Starts the same work again in a new child. */
  retry(id: string): Promise<Task>
  /** Merges a finished task's branch into the project. The task's worktree tells of conflicts. */
  merge(id: string): Promise<Task>
}

export interface MemoryService {
  create(input: {
    type: MemoryType
    title: string
    content: string
    source?: string | undefined
    tags?: string[] | undefined
    projectID?: string | undefined
    sessionID?: string | undefined
    agent?: string | undefined
  }): Promise<Memory>
  /** By id or number, also one that no longer holds. @throws memory_not_found */
  get(ref: string | number): Promise<Memory>
  /** @throws memory_not_found, also when it no longer holds */
  update(
    ref: string | number,
    patch: {
      title?: string | undefined
      content?: string | undefined
      source?: string | undefined
      tags?: string[] | undefined
      type?: MemoryType | undefined
    },
  ): Promise<Memory>
  /** It no longer holds; it stays readable. @throws memory_not_found, also the second time */
  invalidate(ref: string | number): Promise<Memory>
  remove(ref: string | number): Promise<void>
  /**
   * With `q` ranked by full-text score, else most recently changed first. `sessionID` takes what its conversation
   * sees: entries pinned to its tree, those of its project and those of neither.
   */
  search(query: {
    q?: string | undefined
    projectID?: string | undefined
    sessionID?: string | undefined
    types?: MemoryType[] | undefined
    tag?: string | undefined
    /** Raises the rank of these when there is a `q`, without leaving others out. */
    prefer?: { types?: MemoryType[] | undefined; tag?: string | undefined } | undefined
    /** Invalidated ones too. */
    all?: boolean | undefined
    /** What held at that moment, epoch ms. */
    asOf?: number | undefined
    /** Recorded at or after `since` and last changed before `before`, epoch ms. */
    since?: number | undefined
    before?: number | undefined
    /** 50 unless set, at most 200. */
    limit?: number | undefined
  }): Promise<Memory[]>
}

export interface ScheduleService {
  /** What a phrase means: in full, and the first times (epoch ms) it stands for. @throws schedule_phrase_invalid */
  preview(when: string): Promise<{ normalized: string; kind: Schedule["kind"]; next: number[] }>
  /** @throws schedule_phrase_invalid, with the accepted forms */
  create(input: {
    projectID: string
    sessionID?: string | undefined
    /** A phrase or five cron fields. */
    when: string
    message: string
    agent?: string | undefined
    model?: ModelRef | undefined
    missed?: Schedule["missed"] | undefined
  }): Promise<Schedule>
  list(projectID?: string): Promise<Schedule[]>
  /** @throws schedule_not_found */
  get(ref: string | number): Promise<Schedule>
  setStatus(ref: string | number, status: "active" | "paused" | "canceled"): Promise<Schedule>
  remove(ref: string | number): Promise<void>
  runNow(ref: string | number): Promise<ScheduleRun>
  /** Newest first. `since`: begun at or after this (ms). @throws schedule_not_found */
  runs(query: {
    ref?: string | number | undefined
    since?: number | undefined
    limit?: number | undefined
  }): Promise<ScheduleRun[]>
  /** Null when there is none. */
  run(id: string): Promise<ScheduleRun | null>
}

/** Where a config value came from and what is wrong with it. */
export interface ConfigProblem {
  file: string
  /** 1-based; null when the whole file cannot be read. */
  line: number | null
  column: number | null
  message: string
}

export interface ConfigReport {
  config: Config
  /** Files that were read, lowest priority first. */
  files: string[]
  problems: ConfigProblem[]
  /** What is held back because it cannot be read. */
  closures: Closure[]
  trust: ProjectTrust
}

/**
 * - `nothing`: the project configures nothing that waits for the user's trust.
 * - `untrusted`: it does, and only its stricter permissions count.
 * - `trusted`: exactly its present content is trusted, and counts.
 * - `changed`: other content was trusted. As `untrusted`.
 */
export type ConfigTrustState = "nothing" | "untrusted" | "trusted" | "changed"

/** Whether the user trusts what a project's own files configure. */
export interface ProjectTrust {
  state: ConfigTrustState
  /** Real path of the directory that is trusted, the project's worktree; null without a project. */
  directory: string | null
  /** Stands for the directory and the content of its configuration; null when it has none. */
  hash: string | null
  /** Everything that the project's files set, in the order in which they are read. */
  entries: ConfigEntry[]
}

/** `permission-restricts` (ask, deny) counts always. Everything else counts only with the user's trust. */
export type ConfigEntryKind =
  | "permission-allows"
  | "permission-restricts"
  | "provider"
  | "model"
  | "agent"
  | "instructions"
  | "other"

/** One thing that a project's configuration sets. */
export interface ConfigEntry {
  file: string
  /** 1-based. */
  line: number
  column: number
  /** Keys on the way to it. */
  path: string[]
  /** As it is written, cut after 200 characters; nothing is filled in. A key that stands there in full is left out. */
  value: string
  /** Where the value is cut: what follows, at most 20,000 characters. */
  rest: string | null
  kind: ConfigEntryKind
  /** What it comes to, where the value alone does not say: where keys go, what is read. */
  note: string | null
  /** The user has trusted it like this in this directory, if only as part of other content. */
  known: boolean
}

/** A directory where the user trusts what a project configures. */
export interface TrustedDirectory {
  /** Real path. */
  directory: string
  /** When something in it was last trusted, in epoch ms. */
  time: { trusted: number }
}

/** The use cases of Docket. Every front end (tRPC, REST, CLI, ACP) is a thin layer over this. */
export interface Runtime {
  project: {
    /** @throws project_directory_missing */
    open(directory: string): Promise<Project>
    list(): Promise<Project[]>
    get(id: string): Promise<Project>
    /** Files of the project that match `query`, best first, relative to its directory. For @file completion. */
    files(id: string, query: string, limit: number): Promise<string[]>
    /** Sub-directories of an absolute path, for the project picker. */
    directories(
      path: string,
    ): Promise<{ path: string; parent: string | null; entries: { name: string; git: boolean }[] }>
  }
  session: {
    create(input: {
      projectID: string
      title?: string | undefined
      agent?: string | undefined
      model?: ModelRef | undefined
      variant?: string | undefined
    }): Promise<Session>
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
  }
  prompt: {
    /** Stores the prompt and queues a turn. Returns at once. @throws session_not_found, agent_not_found, model_not_found, variant_not_found, prompt_too_large */
    submit(sessionID: string, input: PromptInput): Promise<Turn>
    /** Resolves when the turn has ended. */
    wait(turnID: string, signal?: AbortSignal): Promise<Turn>
    /** Takes a queued prompt back. False when it already runs. */
    withdraw(turnID: string): Promise<boolean>
  }
  /** Stops the session and everything under it, queued prompts included. Resolves when all have stopped. */
  abort(sessionID: string): Promise<void>
  todo: TodoService
  task: TaskService
  memory: MemoryService
  schedule: ScheduleService
  permission: {
    pending(rootID?: string): Promise<PermissionRequest[]>
    /** @throws permission_request_not_found, permission_request_answered */
    reply(id: string, reply: PermissionReply, message?: string): Promise<PermissionRequest>
  }
  agent: { list(projectID: string): Promise<Agent[]> }
  provider: {
    list(projectID?: string): Promise<ProviderInfo[]>
    /** The model a new session gets, and null only when none exists at all. */
    defaultModel(projectID?: string): Promise<ModelRef>
    saveKey(providerID: string, key: string): Promise<void>
    removeKey(providerID: string): Promise<void>
    /** Looks again for local servers. */
    refresh(): Promise<void>
  }
  config: {
    get(projectID?: string): Promise<ConfigReport>
    /** Lets the project's configuration count as it is now. @throws project_not_found, config_changed */
    trust(input: { projectID: string; hash: string }): Promise<ProjectTrust>
    /** Takes back all trust in the project's worktree. Turns that run end as they began. @throws project_not_found */
    revoke(projectID: string): Promise<ProjectTrust>
    /** Where the user trusts something, newest first. */
    trusted(): Promise<TrustedDirectory[]>
    /** As `revoke`, for a directory of `trusted`, also when it is gone. */
    revokeDirectory(directory: string): Promise<void>
  }
  share: {
    /** The secret is only ever returned here; the store keeps its hash. */
    create(rootID: string): Promise<{ share: Share; secret: string }>
    list(rootID: string): Promise<Share[]>
    revoke(id: string): Promise<Share>
    /** Null for an unknown or revoked secret, and when the session is gone. */
    resolve(secret: string): Promise<Share | null>
  }
  /**
   * Events of one tree: rows newer than `since` first, then live ones, deltas included. Events of other
   * trees that the session list needs (session.*, permission.*, turn.updated, config.updated) are mixed
   * in when `others` is true; they carry their own rootID. Ends when the signal aborts.
   */
  feed(
    query: { rootID?: string | undefined; since?: number | undefined; others: boolean },
    signal: AbortSignal,
  ): AsyncIterable<FeedItem>
  /** Stops running turns, waits until they have ended and everything is stored. */
  close(): Promise<void>
}
