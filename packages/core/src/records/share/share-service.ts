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
import type { SharePreview } from "./preview-share.ts"
import type { LockedSession } from "./public-row.ts"
import type { LinkOnlooker, LinkVisitor, SharePass } from "./share-access.ts"

/** A link with what came of it. */
export interface ListedShare extends ShareInfo {
  /** Title of the session that it shows. */
  sessionTitle: string
  /** How often its page was opened, and when last (epoch ms). */
  views: number
  viewed: number | null
  /** What is hidden in what it shows: how often, by label. */
  hidden: Hidden
}

/** A password that somebody tries. */
interface UnlockAttempt extends Pick<LinkVisitor, "isMember"> {
  password: string
}

/** What was looked at before a share is made: the preview's key, and the digests of all that it found. */
interface Reviewed {
  key: string
  digests: readonly string[]
}

export interface PreviewQuery {
  /** Children that would be left out. */
  left?: readonly string[] | undefined
  /** Of an earlier preview: what it named is named so again. */
  key?: string | undefined
  /** A share that is there: findings are named as its decisions name them. */
  shareID?: string | undefined
}

export type ShareChoice = Partial<ShareOptions> & { password?: string | null; reviewed?: Reviewed | undefined }

/** What may be changed of a share that is there. A password of null takes it off. */
export type SharePatch = Partial<Omit<ShareOptions, "mode">> & { password?: string | null }

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
  preview(rootID: string, of?: PreviewQuery): Promise<SharePreview>
  /**
   * The secret is only ever returned here; the store keeps its hash. What nobody decided on is redacted.
   * @throws share_changed when something was found since the preview that nobody looked at; share_disabled
   */
  create(rootID: string, choice?: ShareChoice): Promise<{ share: ShareInfo; secret: string }>
  /** @throws share_not_found; invalid_input when what a frozen share shows is changed */
  update(id: string, patch: SharePatch): Promise<ShareInfo>
  /** @throws share_not_found */
  get(id: string): Promise<ShareInfo>
  /** Those of a tree, or all of them, newest first, revoked ones included. */
  list(rootID?: string): Promise<ListedShare[]>
  /** Another secret in the place of the one that was: the link that was ends. @throws share_not_found */
  relink(id: string): Promise<{ share: ShareInfo; secret: string }>
  /** Deletes the copy. @throws share_not_found */
  revoke(id: string): Promise<ShareInfo>
  /** Revokes those of a tree, or all of them, that are not revoked, and answers with these. `madeBy`: those of one person. */
  revokeAll(rootID?: string, madeBy?: string): Promise<ShareInfo[]>
  /**
   * Null unless this visitor may see what the link leads to. Nothing tells why not: an unknown secret is answered like one
   * that was revoked, is over, is for others or has a password.
   */
  resolve(secret: string, visitor: LinkVisitor): Promise<ShareInfo | null>
  /**
   * What lets a visitor in who has the password of the link. Null for a wrong one, and for whatever else keeps them out, in
   * the same time. Who asks counts the tries.
   */
  unlock(secret: string, attempt: UnlockAttempt): Promise<SharePass | null>
  /**
   * Resolves with true when the link is dead for this visitor: at once where this process ends it, and within 5 s of the end
   * of their own rights. False when the signal aborts first.
   */
  ended(secret: string, visitor: LinkOnlooker, signal: AbortSignal): Promise<boolean>
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
    follow(id: string, since: number | undefined, signal: AbortSignal): AsyncIterable<ShareBatch>
  }
}

/** As clients see a share: without what lets somebody in. */
export function shareInfo({ secretHash: _hash, digestKey: _key, passwordHash, ...info }: Share): ShareInfo {
  return { ...info, hasPassword: passwordHash !== null }
}

/** What a stream of a share sends: an event as JSON, written once for all who read it, and its place. */
export interface ShareEvent {
  seq: number
  json: string
}

/** Events that are sent together: one object for all who read it, so that it is made ready to send once. */
export type ShareBatch = readonly ShareEvent[]

/** What is told of a row, around what is stored of it as JSON; null when it tells nothing by itself. */
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
