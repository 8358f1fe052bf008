import { readFile } from "node:fs/promises"
import type { SharedContents } from "../../ground/blob/shared-contents.ts"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { keyedID } from "../../ground/id/keyed-id.ts"
import { readDataUrl } from "../../ground/media/data-url.ts"
import { type InspectedMedia, inspectMedia, MediaProblem } from "../../ground/media/inspect-media.ts"
import { isTextual } from "../../ground/media/media-type.ts"
import type { NamedFile } from "../../ground/message/part-files.ts"
import {
  type Attachment,
  attachedHash,
  attachmentAddress,
  type FileFacts,
  type Session,
} from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { KeptContent } from "./attachment-service.ts"
import { type ContentFiles, contentHash } from "./content-files.ts"
import type { ImportMarks } from "./import-marks.ts"

/** Bytes of all contents of a workspace, each counted once. */
export const maxWorkspaceBytes = 2 * 1024 * 1024 * 1024
/** Bytes of a text that stays in its row. */
export const inRowBytes = 48 * 1024
/** ms; a younger content may be one whose row is still written. */
const youngFor = 60 * 60_000
/** ms */
const sweepEvery = 24 * 60 * 60_000

export interface AttachmentsDeps {
  store: Pick<Store, "attachment" | "session">
  files: ContentFiles
  marks: ImportMarks
  clock: () => number
  /** What nodes keep for each other; null where each host keeps its own. */
  shared?: Pick<SharedContents, "keep" | "find" | "fileOf"> | null
  /** Bytes; default `maxWorkspaceBytes`. */
  limit?: number
  onError(error: unknown): void
}

type Owner = Pick<Session, "id" | "rootID">

/** Contents of sessions: files by hash, and rows that say which session has which. */
export interface Attachments {
  /**
   * The file with its content kept: a `data:` address becomes that of the kept content, except for a short text. Other
   * addresses stay as they are.
   * @throws MediaProblem for a content that no provider takes, and for one that the tree does not have
   * @throws attachments_full, session_not_found
   */
  keep<T extends NamedFile>(owner: Owner, file: T, signal?: AbortSignal): Promise<T>
  /** Null when the tree does not have it, or when its file is missing or damaged. */
  read(rootID: string, hash: string): Promise<KeptContent | null>
  /** Writes contents before the rows of an import that name them, so that nothing between the two can lose them. */
  importing(rootID: string, contents: readonly ImportedContent[], commit: () => Promise<void>): Promise<void>
  /** Keeps contents of the tree `from` for another session too, once `commit` has stored it. */
  sharing(from: string, to: Owner, shared: { hashes: readonly string[]; commit: () => Promise<void> }): Promise<void>
  /** Removes what only these sessions had, once `act` has removed them. */
  removing<T>(sessionIDs: readonly string[], act: () => Promise<T>): Promise<T>
  /** Ends what a restart interrupted, and removes contents without a session now and then every day. */
  start(): void
  /** Resolves when nothing is removed any more. */
  stop(): Promise<void>
}

export interface ImportedContent {
  sessionIDs: readonly string[]
  bytes: Buffer
  name: string
  media: InspectedMedia
}

export function createAttachments(deps: AttachmentsDeps): Attachments {
  const { store, files, marks, clock, limit = maxWorkspaceBytes } = deps
  // One at a time for each content, so that no removal and no new row of it meet.
  const inOrder = createKeyedQueue()
  /** The sizes of all contents that rows name. Read when it is first needed, and after sessions were removed. */
  let sizes: Promise<{ hashes: Set<string>; sum: number }> | null = null
  const knownSizes = () => {
    sizes ??= store.attachment.list().then((rows) => {
      const byHash = new Map(rows.map(({ hash, size }) => [hash, size]))
      return { hashes: new Set(byHash.keys()), sum: byHash.values().reduce((all, one) => all + one, 0) }
    })
    sizes.catch(() => {
      sizes = null
    })
    return sizes
  }
  /** @throws attachments_full */
  const reserve = async (hash: string, size: number) => {
    const known = await knownSizes()
    if (known.hashes.has(hash)) return
    if (known.sum + size > limit) throw full(limit)
    known.hashes.add(hash)
    known.sum += size
  }
  /** What could not be kept takes no room. */
  const uncounted = (error: unknown): never => {
    sizes = null
    throw error
  }
  const putRows = async (rows: readonly Attachment[]) => {
    await store.attachment.put(rows)
    for (const { sessionID: id, rootID, hash } of rows) {
      deps.shared?.keep({ id, rootID }, { kind: "attachment", name: hash, file: files.pathOf(hash), isFixed: true })
    }
  }
  const put = (rows: readonly Attachment[], bytes: Buffer, hash: string) =>
    inOrder(hash, async () => {
      await reserve(hash, bytes.length)
      await files.write(hash, bytes).catch(uncounted)
      await putRows(rows).catch(uncounted)
      // Another process on the same directory may have removed it before the row was there.
      if (!(await files.has(hash))) await files.write(hash, bytes)
    })
  /** What another host has made. */
  const fromOthers = async (rootID: string, hash: string): Promise<Buffer | null> => {
    const found = (await deps.shared?.find(rootID, "attachment", hash)) ?? null
    return found === null || !deps.shared ? null : readFile(await deps.shared.fileOf(found))
  }
  const rowOf = (owner: Owner, hash: string, { name, media }: Pick<ImportedContent, "name" | "media">): Attachment => {
    const { size = 0, width = null, height = null, pages = null } = media.facts
    return {
      id: keyedID("attachment", `${owner.id}\n${hash}`),
      ...{ rootID: owner.rootID, sessionID: owner.id, hash, mime: media.mime, name },
      ...{ size, width, height, pages, time: { created: clock() } },
    }
  }
  const release = (hash: string) => inOrder(hash, () => files.remove(hash, () => isNeeded(hash)))
  const isNeeded = async (hash: string) => (await store.attachment.isNamed(hash)) || (await marks.names(hash))

  /** Stores the rows once `act` has stored their session. Meanwhile a mark keeps their contents. */
  const marked = async (rootID: string, rows: Attachment[], act: () => Promise<void>) => {
    await marks.add({ rootID, rows })
    try {
      await act()
      await putRows(rows)
    } finally {
      // After a failure nothing names them any more; after a crash `endImports` goes on.
      await marks.remove(rootID)
      sizes = null
      for (const hash of new Set(rows.map((row) => row.hash))) await release(hash).catch(deps.onError)
    }
  }

  /** Ends imports that were interrupted after their sessions were stored. */
  const endImports = async () => {
    for (const { rootID, rows } of await marks.list()) {
      const there = new Set((await store.session.tree(rootID)).map(({ id }) => id))
      await putRows(rows.filter(({ sessionID }) => there.has(sessionID)))
      await marks.remove(rootID)
    }
    sizes = null
  }
  const sweep = async () => {
    for (const hash of await files.olderThan(clock() - youngFor)) if (!(await isNeeded(hash))) await release(hash)
  }
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  const work = (act: () => Promise<void>) => {
    working = working.then(act).catch(deps.onError)
  }
  return {
    async keep(owner, file, signal) {
      const hash = attachedHash(file.url)
      if (hash !== null) return keptBefore(store, owner, { hash, file, put: (row) => putRows([row]) })
      const read = readDataUrl(file.url)
      if (read === null || read.bytes.length === 0) return file
      const media = await inspectMedia(read.bytes, file.mime || read.named, { clock, ...(signal && { signal }) })
      if (isTextual(media.mime) && read.bytes.length <= inRowBytes) return { ...file, mime: media.mime }
      const name = file.filename ?? ""
      const row = rowOf(owner, contentHash(read.bytes), { name, media })
      await put([row], read.bytes, row.hash)
      return { ...file, mime: media.mime, url: attachmentAddress(row.hash), ...media.facts }
    },
    async read(rootID, hash) {
      const row = await store.attachment.find(rootID, hash)
      const bytes = row === null ? null : ((await files.read(hash)) ?? (await fromOthers(rootID, hash)))
      return row === null || bytes === null ? null : { row, bytes }
    },
    async importing(rootID, contents, commit) {
      if (contents.length === 0) return commit()
      const kept = contents.map((content) => {
        const hash = contentHash(content.bytes)
        const rows = content.sessionIDs.map((id) => rowOf({ rootID, id }, hash, content))
        return { hash, rows, bytes: content.bytes }
      })
      const rows = kept.flatMap((content) => content.rows)
      for (const { hash, bytes } of kept) await reserve(hash, bytes.length)
      await marked(rootID, rows, async () => {
        for (const { hash, bytes } of kept) await inOrder(hash, () => files.write(hash, bytes))
        await commit()
      })
    },
    async sharing(from, to, { hashes, commit }) {
      const found = await Promise.all(hashes.map((hash) => store.attachment.find(from, hash)))
      const rows = found.filter((row) => row !== null).map((row) => rowFor(to, row))
      if (rows.length === 0) return commit()
      await marked(to.rootID, rows, commit)
    },
    async removing(sessionIDs, act) {
      if (sessionIDs.length === 0) return act()
      const rows = await store.attachment.ofSessions(sessionIDs)
      const result = await act()
      sizes = null
      for (const hash of new Set(rows.map((row) => row.hash))) await release(hash).catch(deps.onError)
      return result
    },
    start() {
      work(endImports)
      work(sweep)
      timer = setInterval(() => work(sweep), sweepEvery)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await working
    },
  }
}

interface KeptBefore<T> {
  hash: string
  file: T
  put(row: Attachment): Promise<void>
}

/** A file that names a kept content: the tree has to have it, for a hash alone gives nobody a content. */
async function keptBefore<T extends NamedFile>(
  store: AttachmentsDeps["store"],
  { rootID, id: sessionID }: Owner,
  { hash, file, put }: KeptBefore<T>,
): Promise<T> {
  const row = await store.attachment.find(rootID, hash)
  if (row === null) throw new MediaProblem("is not kept in this session.")
  // A session of its own needs a row of its own: the other may be removed.
  if (row.sessionID !== sessionID) await put(rowFor({ id: sessionID, rootID }, row))
  return { ...file, mime: row.mime, url: attachmentAddress(hash), ...factsOf(row) }
}

/** The same content, for another session. */
function rowFor({ id: sessionID, rootID }: Owner, row: Attachment): Attachment {
  return { ...row, id: keyedID("attachment", `${sessionID}\n${row.hash}`), rootID, sessionID }
}

function factsOf({ size, width, height, pages }: Attachment): FileFacts {
  return {
    size,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(pages !== null && { pages }),
  }
}

function full(limit: number): DocketError {
  const words = `The files of this workspace's sessions have reached ${Math.round(limit / 1024 / 1024)} MB. Remove sessions that are not needed any more.`
  return new DocketError("attachments_full", words)
}
