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
} from "../../ground/schema/index.ts"
import type { Hidden, ShareRow } from "../../ground/store/index.ts"
import type { KeptContent } from "../attachment/attachment-service.ts"
import type { SharePreview } from "./preview-share.ts"
import type { LockedSession } from "./public-row.ts"
import type { LinkOnlooker, LinkVisitor, SharePass } from "./share-access.ts"

/** A share with statistics. */
export interface ListedShare extends ShareInfo {
  /** Title of the shared session. */
  sessionTitle: string
  /** How often its page was opened, and when last (epoch ms). */
  views: number
  viewed: number | null
  /** What is hidden: number of replacements, by label. */
  hidden: Hidden
}

/** An attempt with a password. */
interface UnlockAttempt extends Pick<LinkVisitor, "isMember"> {
  password: string
}

/** What the user reviewed before making a share: the preview's key and the digests of all its findings. */
interface Reviewed {
  key: string
  digests: readonly string[]
}

export interface PreviewQuery {
  /** Children to leave out. */
  left?: readonly string[] | undefined
  /** The key of an earlier preview, so that findings keep their digests. */
  key?: string | undefined
  /** An existing share: findings are identified as in its decisions. */
  shareID?: string | undefined
}

export type ShareChoice = Partial<ShareOptions> & { password?: string | null; reviewed?: Reviewed | undefined }

/** Changes to an existing share. Null removes the password. */
export type SharePatch = Partial<Omit<ShareOptions, "mode">> & { password?: string | null }

/** The tree from a share's copy. `seq` is in the share's own sequence. */
export interface SharedSessions {
  seq: number
  sessions: Session[]
  /** Children that are left out; only their place in the tree is shown. */
  locked: LockedSession[]
  todos: Record<string, Todo[]>
  tasks: TaskSummary[]
}

export interface SharedPart {
  part: Part
  sessionID: Session["id"]
}

/** Settings for shared pages. */
export interface ShareFrame {
  /** The author named on the pages. */
  author: string | null
  /** Origins whose pages may embed them in a frame. */
  embedSites: readonly string[]
}

export interface SharedMessages {
  items: MessageWithParts[]
  before: Message["id"] | null
  after: Message["id"] | null
  seq: number
}

export interface ShareService {
  /** What would be published, with all findings of the scan. Nothing is stored. @throws session_not_found */
  preview(rootID: string, of?: PreviewQuery): Promise<SharePreview>
  /**
   * Creates a share. Only this call returns the secret; the store keeps its hash. Findings without a decision are
   * redacted.
   * @throws share_changed when there are findings that the user has not reviewed; share_disabled
   */
  create(rootID: string, choice?: ShareChoice): Promise<{ share: ShareInfo; secret: string }>
  /** @throws share_not_found; invalid_input for a change to what a frozen share shows */
  update(id: string, patch: SharePatch): Promise<ShareInfo>
  /** @throws share_not_found */
  get(id: string): Promise<ShareInfo>
  /** The shares of a tree, or all shares, newest first, including revoked ones. */
  list(rootID?: string): Promise<ListedShare[]>
  /** Replaces the secret, so that the old link ends. @throws share_not_found */
  relink(id: string): Promise<{ share: ShareInfo; secret: string }>
  /** Ends the share and deletes its copy. @throws share_not_found */
  revoke(id: string): Promise<ShareInfo>
  /**
   * Revokes all active shares of a tree, or all active shares, and returns them. `madeBy` limits this to one person's
   * shares.
   */
  revokeAll(rootID?: string, madeBy?: string): Promise<ShareInfo[]>
  /**
   * The share of a link, or null when the visitor may not see it. The reason is not revealed: an unknown secret gives
   * the same result as one that was revoked, expired, is for others or has a password.
   */
  resolve(secret: string, visitor: LinkVisitor): Promise<ShareInfo | null>
  /**
   * A pass for a visitor who gives the link's password. Null for a wrong password and every other reason to refuse,
   * after the same time. The caller must count the attempts.
   */
  unlock(secret: string, attempt: UnlockAttempt): Promise<SharePass | null>
  /**
   * Resolves with true when the visitor loses access: at once if this process ends the link, and within 5 s of the end
   * of the visitor's own rights. False when the signal aborts first.
   */
  ended(secret: string, visitor: LinkOnlooker, signal: AbortSignal): Promise<boolean>
  /** What readers of a link see; all data comes from the copy. @throws share_not_found */
  copy: {
    /** Counts a visit. */
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
    /** A file that a part shows; null when it does not. */
    file(id: string, of: { partID: string; hash: string }): Promise<KeptContent | null>
    frame(id: string): Promise<ShareFrame>
    /** How many readers follow the share in this process. */
    readers(id: string): number
    /** Rows after `since`, then live ones; ends with the copy or the signal. */
    follow(id: string, since: number | undefined, signal: AbortSignal): AsyncIterable<ShareBatch>
  }
  /** What a runtime does for readers elsewhere, because the files of the tree are here. */
  home: {
    /** Brings the copy up to date. */
    refresh(id: string): Promise<void>
    frame(rootID: string): Promise<ShareFrame>
    file(of: { rootID: string; hash: string }): Promise<KeptContent | null>
  }
}

/** A share for clients: without its secrets. */
export function shareInfo({ secretHash: _hash, digestKey: _key, passwordHash, ...info }: Share): ShareInfo {
  return { ...info, hasPassword: passwordHash !== null }
}

/** An event in the stream of a share, as JSON that is made once for all readers, with its sequence number. */
export interface ShareEvent {
  seq: number
  json: string
}

/** Events sent together. All readers get the same object, so that it is serialised once. */
export type ShareBatch = readonly ShareEvent[]

/** The event for a row, built around its stored JSON; null when the row has no event of its own. */
export function shareEvent(rootID: string, { kind, seq, data }: ShareRow): ShareEvent | null {
  const place = `"rootID":${JSON.stringify(rootID)},"seq":${seq}`
  switch (kind) {
    case "session":
      return { seq, json: `{"type":"session.updated",${place},"properties":{"info":${data}}}` }
    case "locked":
      return {
        seq,
        json: `{"type":"session.deleted",${place},"properties":{"sessionID":${JSON.stringify(JSON.parse(data).id)}}}`,
      }
    case "message":
      return { seq, json: `{"type":"message.updated",${place},"properties":{"info":${data}}}` }
    case "part":
      return { seq, json: `{"type":"message.part.updated",${place},"properties":{"part":${data}}}` }
    case "todos":
      return { seq, json: `{"type":"todo.updated",${place},"properties":${data}}` }
    case "task":
      return { seq, json: `{"type":"task.updated",${place},"properties":{"task":${data}}}` }
    case "removed":
      return data === "null" ? null : { seq, json: `{${place},${data.slice(1)}` }
  }
}
