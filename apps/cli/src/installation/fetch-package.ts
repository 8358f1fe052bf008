import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { UsageError } from "../usage-error.ts"

/** Bytes; ten times what a package has. */
const mostBytes = 200_000_000
/** ms without an answer. */
const patience = 60_000

export interface FetchedPackage {
  /** Absolute. */
  file: string
  remove(): Promise<void>
}

/**
 * The package that the user named: a file, or an address that is fetched into one.
 * @throws UsageError
 */
export async function fetchPackage(named: string): Promise<FetchedPackage> {
  if (!/^https?:\/\//.test(named)) return { file: path.resolve(named), remove: async () => {} }
  const url = new URL(named)
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
  if (url.protocol === "http:" && !isHere)
    throw new UsageError(`${named} is not encrypted: anybody on the way could change the program. Use https.`)
  const directory = await mkdtemp(path.join(tmpdir(), "docket-upgrade-"))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const file = path.join(directory, "docket.tgz")
    const response = await fetch(url, { signal: AbortSignal.timeout(patience) })
    if (!response.ok || response.body === null)
      throw new UsageError(`${named} answered ${response.status} ${response.statusText}`.trim())
    if (new URL(response.url).protocol === "http:" && !isHere)
      throw new UsageError(`${named} led to ${response.url}, which is not encrypted.`)
    await pipeline(Readable.fromWeb(response.body), atMost(mostBytes, named), createWriteStream(file))
    return { file, remove }
  } catch (error) {
    await remove()
    if (error instanceof UsageError) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new UsageError(`${named} could not be fetched: ${cause}`)
  }
}

function atMost(bytes: number, named: string): Transform {
  let read = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.byteLength
      if (read > bytes)
        done(new UsageError(`${named} has more than ${bytes / 1_000_000} MB: it is no package of Docket.`))
      else done(null, chunk)
    },
  })
}
