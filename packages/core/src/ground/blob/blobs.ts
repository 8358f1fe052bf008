/** Names a content: whose it is, and its SHA-256 in hex. */
export interface BlobKey {
  tenant: string
  hash: string
}

/** A content that is to be stored: a file, which may be large, bytes, or what comes from elsewhere. */
export type BlobSource = { file: string } | { bytes: Uint8Array } | { pieces: AsyncIterable<Uint8Array> }

export interface BlobFacts {
  /** Bytes. */
  size: number
  /** Epoch ms by the clock of the store: when it was last written. */
  written: number
}

export interface ListedBlob extends BlobFacts {
  hash: string
  /** A removal of it began and did not end: only `Blobs.remove` tells whether it is still there. */
  isAside: boolean
}

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  start: number
  end?: number
}

/**
 * Contents that all nodes reach, named by their SHA-256. A content is there whole or not at all.
 * @throws blobs_unavailable by every method, when the store does not answer or refuses
 */
export interface Blobs {
  /**
   * Stores a content; one that is there with its size stays as it is. Resolves when the store has it for good.
   * @throws DamagedBlob when the source does not have this hash: nothing is stored
   */
  put(key: BlobKey, source: BlobSource, signal?: AbortSignal): Promise<void>
  /**
   * A content, piece by piece; null when it is not there. After the last piece of a whole content, the iteration throws
   * DamagedBlob when the pieces do not have the hash. A range is not checked.
   */
  get(
    key: BlobKey,
    options?: { range?: ByteRange; signal?: AbortSignal | undefined },
  ): Promise<AsyncIterable<Uint8Array> | null>
  /** Null when it is not there. */
  head(key: BlobKey, signal?: AbortSignal): Promise<BlobFacts | null>
  /**
   * Removes a content that nothing needs. `isNeeded` is asked once it is out of the way, so that whoever needs it from then
   * on stores it again; when it says yes, or fails, the content comes back.
   */
  remove(key: BlobKey, isNeeded: () => Promise<boolean>): Promise<void>
  /** All contents of a tenant, in no order. */
  list(tenant: string, signal?: AbortSignal): AsyncIterable<ListedBlob>
  /** Removes everything of a tenant. */
  removeTenant(tenant: string): Promise<void>
  /** Which store it is, for messages: its address without keys. */
  readonly address: string
}

/** A content that does not have the hash under which it is kept. */
export class DamagedBlob extends Error {
  constructor({ hash }: Pick<BlobKey, "hash">, where: string) {
    super(`The content ${hash} in ${where} is damaged.`)
    this.name = "DamagedBlob"
  }
}

const hashPattern = /^[0-9a-f]{64}$/
const tenantPattern = /^[A-Za-z0-9_-]{1,128}$/

/** The path of a content in a store: `tenant/aa/hash`. */
export function blobPath(key: BlobKey): string {
  if (!hashPattern.test(key.hash)) throw new Error(`"${key.hash}" is no SHA-256`)
  return `${tenantPath(key.tenant)}${key.hash.slice(0, 2)}/${key.hash}`
}

/** Where all contents of a tenant are: `tenant/`. */
export function tenantPath(tenant: string): string {
  if (!tenantPattern.test(tenant)) throw new Error(`"${tenant}" cannot be part of a path`)
  return `${tenant}/`
}

const asideEnd = /^\.[A-Za-z0-9-]+\.aside$/

/** The path of a content that is being removed. */
export function asidePath(key: BlobKey, uniqueName: string): string {
  return `${blobPath(key)}.${uniqueName}.aside`
}

/** What the last part of a path in a store stands for; null for what is no content. */
export function blobOfName(name: string): Pick<ListedBlob, "hash" | "isAside"> | null {
  const [hash, end] = [name.slice(0, 64), name.slice(64)]
  if (!hashPattern.test(hash) || !(end === "" || asideEnd.test(end))) return null
  return { hash, isAside: end !== "" }
}
