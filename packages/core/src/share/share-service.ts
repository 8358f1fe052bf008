import type {
  Message,
  MessageWithParts,
  Part,
  Session,
  Share,
  ShareInfo,
  ShareOptions,
  TaskSummary,
  Todo,
} from "../schema/index.ts"
import type { Hidden } from "../store/index.ts"
import type { SharePreview } from "./preview-share.ts"
import type { LockedSession } from "./public-row.ts"
import type { ShareEvent } from "./share-event.ts"

/** A link with what came of it. */
export interface ListedShare extends ShareInfo {
  /** How often its page was opened, and when last (epoch ms). */
  views: number
  viewed: number | null
  /** What is hidden in what it shows: how often, by label. */
  hidden: Hidden
}

/** What was looked at before a share is made: the preview's key, and the digests of all that it found. */
export interface Reviewed {
  key: string
  digests: readonly string[]
}

export type ShareChoice = Partial<ShareOptions> & { reviewed?: Reviewed | undefined }

/** What may be changed of a share that is there. */
export type SharePatch = Partial<Omit<ShareOptions, "mode">>

/** The tree as a share's copy has it. `seq` is of the share's own sequence. */
export interface SharedSessions {
  seq: number
  sessions: Session[]
  /** Children that are left out. Nothing but their place in the tree is told of them. */
  locked: LockedSession[]
  todos: Record<string, Todo[]>
  tasks: TaskSummary[]
}

export interface SharedPart {
  part: Part
  sessionID: Session["id"]
}

/** What the configuration says of shared pages. */
export interface ShareFrame {
  /** Whom they name as their author. */
  author: string | null
  /** Origins whose pages may show them in a frame. */
  embedSites: readonly string[]
}

export interface SharedMessages {
  items: MessageWithParts[]
  before: Message["id"] | null
  after: Message["id"] | null
  seq: number
}

export interface ShareService {
  /** What would be published, with all that the scan finds. Nothing is stored. @throws session_not_found */
  preview(rootID: string, left?: readonly string[]): Promise<SharePreview>
  /**
   * The secret is only ever returned here; the store keeps its hash. What nobody decided on is redacted.
   * @throws share_changed when something was found since the preview that nobody looked at; share_disabled
   */
  create(rootID: string, choice?: ShareChoice): Promise<{ share: ShareInfo; secret: string }>
  /** @throws share_not_found; invalid_input when what a frozen share shows is changed */
  update(id: string, patch: SharePatch): Promise<ShareInfo>
  /** Those of a tree, or all of them, newest first, revoked ones included. */
  list(rootID?: string): Promise<ListedShare[]>
  /** Deletes the copy. @throws share_not_found */
  revoke(id: string): Promise<ShareInfo>
  /** Null for an unknown, revoked or expired secret, and when the session is gone. */
  resolve(secret: string): Promise<ShareInfo | null>
  /** Resolves with true when the link is dead: at once where this process ends it. False when the signal aborts first. */
  ended(secret: string, signal: AbortSignal): Promise<boolean>
  /** What readers of the link see. All of it comes from the copy. @throws share_not_found */
  copy: {
    /** Counts a reader who came. */
    visit(id: string): Promise<void>
    tree(id: string): Promise<SharedSessions>
    messages(
      id: string,
      query: {
        sessionID: string
        before?: string | undefined
        after?: string | undefined
        around?: string | undefined
        limit?: number | undefined
      },
    ): Promise<SharedMessages>
    /** One part with its message; null when the copy does not show it. */
    part(id: string, partID: string): Promise<SharedPart | null>
    frame(id: string): Promise<ShareFrame>
    /** How many follow it here, as of now. */
    readers(id: string): number
    /** Rows behind `since`, then live ones; ends with the copy or the signal. */
    follow(id: string, since: number | undefined, signal: AbortSignal): AsyncIterable<ShareEvent>
  }
}

/** As clients see a share: without what lets somebody in. */
export function shareInfo({ secretHash: _hash, digestKey: _key, ...info }: Share): ShareInfo {
  return info
}
