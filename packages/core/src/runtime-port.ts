import type { Config } from "./config/schema.ts"
import type {
  Agent,
  FeedItem,
  ModelRef,
  Part,
  PermissionReply,
  PermissionRequest,
  Project,
  PromptInput,
  ProviderInfo,
  Session,
  Share,
  Todo,
  TodoInput,
  Turn,
} from "./schema/index.ts"
import type { MessagePage, Page, SessionListItem } from "./store/index.ts"

/** A whole tree without its messages, and the sequence number to subscribe from. */
export interface TreeSnapshot {
  seq: number
  sessions: Session[]
  todos: Record<string, Todo[]>
  permissions: PermissionRequest[]
  /** Queued and running turns. */
  turns: Turn[]
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
        model?: ModelRef | undefined
      },
    ): Promise<Session>
    /** Stops the subtree, then removes it. */
    remove(id: string): Promise<void>
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
    /** Stores the prompt and queues a turn. Returns at once. @throws session_not_found, agent_not_found, model_not_found, prompt_too_large */
    submit(sessionID: string, input: PromptInput): Promise<Turn>
    /** Resolves when the turn has ended. */
    wait(turnID: string, signal?: AbortSignal): Promise<Turn>
    /** Takes a queued prompt back. False when it already runs. */
    withdraw(turnID: string): Promise<boolean>
  }
  /** Stops the session and everything under it, queued prompts included. Resolves when all have stopped. */
  abort(sessionID: string): Promise<void>
  todo: {
    list(sessionID: string): Promise<Todo[]>
    replace(sessionID: string, items: TodoInput[], agent: string | null): Promise<Todo[]>
  }
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
  config: { get(projectID?: string): Promise<ConfigReport> }
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
   * trees that the session list needs (session.*, permission.*, turn.updated, project.updated) are mixed
   * in when `others` is true; they carry their own rootID. Ends when the signal aborts.
   */
  feed(
    query: { rootID?: string | undefined; since?: number | undefined; others: boolean },
    signal: AbortSignal,
  ): AsyncIterable<FeedItem>
  /** Stops running turns, waits until they have ended and everything is stored. */
  close(): Promise<void>
}
