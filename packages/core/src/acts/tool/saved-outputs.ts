import { mkdir, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { SharedContents } from "../../ground/blob/shared-contents.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import { readOutputPage } from "./read-output-page.ts"
import { outputFileName } from "./truncate-output.ts"

/** How long the full text of a tool's output is kept, and how often old ones are deleted, in ms. */
const keptFor = 7 * 24 * 60 * 60_000
const sweepEvery = 24 * 60 * 60_000

export interface SavedOutputsDeps {
  /** The directory that contains one directory for each session. */
  root: string
  /** What nodes keep for each other; null where each host keeps its own. */
  shared?: Pick<SharedContents, "keep" | "find" | "fileOf"> | null
  clock: () => number
  onError(error: unknown): void
}

interface SavedCall {
  sessionID: string
  id: string
  /** The root of its tree, by which what another host has made is found. */
  rootID?: string
}

/**
 * Files with texts that were too long for the model: tool outputs are kept for a week, task results as long as their
 * session.
 */
export interface SavedOutputs {
  /** The directory of a session, created on first use. */
  directoryOf(sessionID: string): Promise<string>
  /** A page of the output of a call, starting at a byte. @throws output_not_found */
  page(call: SavedCall, from?: number): Promise<OutputPage>
  /** The path of the full output of a call, whether or not it exists. */
  pathOf(call: Pick<SavedCall, "sessionID" | "id">): string
  /** Saves an output of this call that was produced elsewhere. */
  keep(call: SavedCall, text: string): Promise<void>
  /** Deletes the outputs of these sessions. */
  remove(sessionIDs: string[]): Promise<void>
  /** Deletes outputs older than a week now, and then every day. */
  start(): void
  /** Resolves when no deletion runs any more. */
  stop(): Promise<void>
}

export function createSavedOutputs({ root, shared = null, clock, onError }: SavedOutputsDeps): SavedOutputs {
  /** The session directories that this process uses. */
  const directories = new Map<string, Promise<string>>()
  let timer: NodeJS.Timeout | undefined
  let sweeping = Promise.resolve()
  const sweepSession = async (sessionID: string) => {
    const directory = join(root, sessionID)
    for (const name of await readdir(directory)) {
      const file = join(directory, name)
      if (name.startsWith("tool_") && clock() - (await stat(file)).mtimeMs > keptFor) await rm(file, { force: true })
    }
    // A directory that a session of this process uses stays. On a directory with files, rmdir fails.
    if (!directories.has(sessionID)) await rmdir(directory).catch(() => undefined)
  }
  const sweep = async () => {
    const sessions = await readdir(root).catch(() => [])
    for (const sessionID of sessions) await sweepSession(sessionID).catch(onError)
  }
  const directoryOf: SavedOutputs["directoryOf"] = (sessionID) => {
    const directory = join(root, sessionID)
    const known = directories.get(sessionID)
    if (known !== undefined) return known
    const making = mkdir(directory, { recursive: true, mode: 0o700 }).then(() => directory)
    directories.set(sessionID, making)
    making.catch(() => directories.delete(sessionID))
    return making
  }
  /** Of an output that another host has made. */
  const pageOfOthers = async (rootID: string | undefined, id: string, from: number): Promise<OutputPage | null> => {
    const found = rootID === undefined ? null : ((await shared?.find(rootID, "output", outputFileName(id))) ?? null)
    return found === null || shared === null ? null : readOutputPage(await shared.fileOf(found), from)
  }
  return {
    directoryOf,
    pathOf: ({ sessionID, id }) => join(root, sessionID, outputFileName(id)),
    async keep({ sessionID, id, rootID }, text) {
      const name = outputFileName(id)
      const file = join(await directoryOf(sessionID), name)
      await writeFile(file, text, { mode: 0o600 })
      if (rootID !== undefined) shared?.keep({ id: sessionID, rootID }, { kind: "output", name, file })
    },
    async page({ sessionID, id, rootID }, from = 0) {
      const page =
        (await readOutputPage(join(root, sessionID, outputFileName(id)), from)) ??
        (await pageOfOthers(rootID, id, from))
      if (page !== null) return page
      throw new DocketError(
        "output_not_found",
        "The full output is not there: it was short enough to be shown whole, or it is older than a week.",
      )
    },
    async remove(sessionIDs) {
      for (const sessionID of sessionIDs) {
        directories.delete(sessionID)
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
