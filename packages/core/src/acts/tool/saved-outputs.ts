import { mkdir, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import { readOutputPage } from "./read-output-page.ts"
import { outputFileName } from "./truncate-output.ts"

/** How long the full text of a tool's output is kept, and how often old ones are looked for, in ms. */
const keptFor = 7 * 24 * 60 * 60_000
const sweepEvery = 24 * 60 * 60_000

export interface SavedOutputsDeps {
  /** Holds one directory a session. */
  root: string
  clock: () => number
  onError(error: unknown): void
}

/** The files with what was too long for a model to read: of tools for a week, of tasks as long as their session. */
export interface SavedOutputs {
  /** The directory of a session, made on first use. */
  directoryOf(sessionID: string): Promise<string>
  /** A page of what a call put out, from a byte on. @throws output_not_found */
  page(call: { sessionID: string; id: string }, from?: number): Promise<OutputPage>
  /** Where the full output of a call lies, if it has one. */
  pathOf(call: { sessionID: string; id: string }): string
  /** Saves what a call put out in another place. */
  keep(call: { sessionID: string; id: string }, text: string): Promise<void>
  /** Deletes what sessions saved. */
  remove(sessionIDs: string[]): Promise<void>
  /** Deletes what is older than a week now, and from then on every day. */
  start(): void
  /** Resolves when nothing more is deleted. */
  stop(): Promise<void>
}

export function createSavedOutputs({ root, clock, onError }: SavedOutputsDeps): SavedOutputs {
  const made = new Map<string, Promise<string>>()
  let timer: NodeJS.Timeout | undefined
  let sweeping = Promise.resolve()
  const sweepSession = async (sessionID: string) => {
    const directory = join(root, sessionID)
    for (const name of await readdir(directory)) {
      const file = join(directory, name)
      if (name.startsWith("tool_") && clock() - (await stat(file)).mtimeMs > keptFor) await rm(file, { force: true })
    }
    // One that a session of this process uses stays. One that is not empty cannot be removed.
    if (!made.has(sessionID)) await rmdir(directory).catch(() => undefined)
  }
  const sweep = async () => {
    const sessions = await readdir(root).catch(() => [])
    for (const sessionID of sessions) await sweepSession(sessionID).catch(onError)
  }
  const directoryOf: SavedOutputs["directoryOf"] = (sessionID) => {
    const directory = join(root, sessionID)
    const known = made.get(sessionID)
    if (known !== undefined) return known
    const making = mkdir(directory, { recursive: true, mode: 0o700 }).then(() => directory)
    made.set(sessionID, making)
    making.catch(() => made.delete(sessionID))
    return making
  }
  return {
    directoryOf,
    pathOf: ({ sessionID, id }) => join(root, sessionID, outputFileName(id)),
    async keep({ sessionID, id }, text) {
      await writeFile(join(await directoryOf(sessionID), outputFileName(id)), text, { mode: 0o600 })
    },
    async page({ sessionID, id }, from = 0) {
      const page = await readOutputPage(join(root, sessionID, outputFileName(id)), from)
      if (page !== null) return page
      throw new DocketError(
        "output_not_found",
        "The full output is not there: it was short enough to be shown whole, or it is older than a week.",
      )
    },
    async remove(sessionIDs) {
      for (const sessionID of sessionIDs) {
        made.delete(sessionID)
        await rm(join(root, sessionID), { recursive: true, force: true }).catch(onError)
      }
    },
    start() {
      sweeping = sweep()
      timer = setInterval(() => {
        sweeping = sweeping.then(sweep)
      }, sweepEvery)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}
