import path from "node:path"
import { readBoundedFile } from "@docket/core/file"
import { z } from "zod"
import type { Connection } from "./connection.ts"

/** What the CLI needs of `<data>/lock.json`, which the service that owns a data directory keeps there. */
const Lock = z.object({ url: z.url().nullable() })

/** Most bytes of it. */
const maxBytes = 65_536

/** The running service that owns the data directory, or null. */
export async function findLiveServer(data: string): Promise<Connection | null> {
  const text = await readBoundedFile(path.join(data, "lock.json"), maxBytes).then(String, () => null)
  if (text === null) return null
  const lock = Lock.safeParse(parseJson(text))
  const url = lock.success ? lock.data.url : null
  if (url === null || !(await answers(url))) return null
  // It is not ours: it may be started again, and the run goes on with it.
  return { url, tokenFile: path.join(data, "token"), close: async () => {}, ended: new AbortController().signal }
}

/**
 * A lock may outlive its owner, so the service is asked. Where nobody listens the answer comes at once; a service on a busy
 * machine has its time.
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
