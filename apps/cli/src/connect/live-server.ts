import path from "node:path"
import { readBoundedFile } from "@docket/core/file"
import { z } from "zod"
import { type Connection, lasting } from "./connection.ts"

/** The part of `<data>/lock.json` that the CLI needs. The service that owns the data directory writes this file. */
const Lock = z.object({
  url: z.url().nullable(),
  pid: z.int(),
  /** The process that started the service, when that is one that a person stops. */
  startedBy: z.int().nullish(),
})

export interface LiveServer extends Connection {
  /** The process that a person stops. */
  process: number
}

/** Size limit of the lock file. */
const maxBytes = 65_536

/** The running service that owns the data directory, or null. */
export async function findLiveServer(data: string): Promise<LiveServer | null> {
  const text = await readBoundedFile(path.join(data, "lock.json"), maxBytes).then(String, () => null)
  if (text === null) return null
  const lock = Lock.safeParse(parseJson(text))
  if (!lock.success) return null
  const { url, pid, startedBy } = lock.data
  if (url === null || !(await answers(url))) return null
  return { url, process: startedBy ?? pid, tokenFile: path.join(data, "token"), ...lasting() }
}

/**
 * The lock file may be left over from a service that has exited, so ask the service. If nothing listens, the call fails
 * at once; a busy service has 15 seconds to answer.
 */
async function answers(url: string): Promise<boolean> {
  return await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(15_000) }).then(
    (response) => response.ok,
    () => false,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
