import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { readBoundedFile, UnfitFileError } from "@docket/core/file"
import { z } from "zod"
import { UsageError } from "../usage-error.ts"

/** The sign-in of a user to a server, as stored on this machine. */
const StoredSignIn = z.object({ url: z.url(), token: z.string().min(1), name: z.string() })
export type StoredSignIn = z.infer<typeof StoredSignIn>

/** Size limit of each file. */
const maxBytes = 4_096

/**
 * The sign-ins of a user: one private file per server in `<data>/servers`, and a file that names the default server of
 * commands.
 */
export function storedSignIns(data: string) {
  const directory = path.join(data, "servers")
  const fileOf = (url: string) => path.join(directory, `${nameOf(url)}.json`)
  const lastFile = path.join(directory, "last")
  const read = async (file: string) => {
    const text = await readBoundedFile(file, maxBytes).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
      const reason = error instanceof UnfitFileError ? error.message : `cannot be read (${codeOf(error)})`
      throw new UsageError(`${file} ${reason}`)
    })
    return text?.toString("utf8").trim() ?? null
  }
  const find = async (url: string): Promise<StoredSignIn | null> => {
    const text = await read(fileOf(url))
    if (text === null) return null
    const parsed = StoredSignIn.safeParse(parseJson(text))
    if (parsed.success && parsed.data.url === url) return parsed.data
    throw new UsageError(`${fileOf(url)} is damaged. Sign in again: docket login --server ${url}`)
  }
  const write = async (file: string, text: string) => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await chmod(directory, 0o700)
    // Written by one rename, so that a crash leaves the old file; the access rights are set from the start.
    const unfinished = `${file}.${process.pid}`
    await writeFile(unfinished, `${text}\n`, { mode: 0o600, flag: "wx" })
    await rename(unfinished, file)
  }
  return {
    find,
    /** The latest sign-in. */
    async last(): Promise<StoredSignIn | null> {
      const url = await read(lastFile)
      return url === null || !URL.canParse(url) ? null : await find(url)
    },
    async keep(signIn: StoredSignIn): Promise<void> {
      await write(fileOf(signIn.url), JSON.stringify(signIn))
      await write(lastFile, signIn.url)
    },
    async remove(url: string): Promise<void> {
      await rm(fileOf(url), { force: true })
      const last = await readFile(lastFile, "utf8").catch(() => "")
      if (last.trim() === url) await rm(lastFile, { force: true })
    },
  }
}

function nameOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol.slice(0, -1)}_${host.replace(/[^a-z0-9.-]/gi, "_")}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
