import { realpath } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFile, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { configLeaves } from "./config-leaves.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import { type Lookup, referencesIn } from "./substitute.ts"

/** Bytes that are read of a file that a configuration names. */
const maxBytes = 1_048_576

/** What `{file:…}` in a project's configuration names. Only a file that really lies in the project has been read. */
export type FileReference = { text: string } | { outside: string } | { problem: string }

/** By absolute path. */
export type FileReferences = ReadonlyMap<string, FileReference>

/** The absolute path of `{file:name}` in a configuration file of `directory`. */
export function referencedFile(name: string, { directory, home }: { directory: string; home: string }): string {
  return name.startsWith("~/") ? join(home, name.slice(2)) : resolve(directory, name)
}

/** Every file that the configuration of a project names. */
export async function readProjectReferences(
  parsed: readonly ParsedSource[],
  { home, worktree }: { home: string; worktree: string },
): Promise<FileReferences> {
  const files = parsed.flatMap(({ config, source }) =>
    configLeaves(config ?? {})
      .flatMap(({ value }) => referencesIn(value, "file"))
      .map((name) => referencedFile(name, { directory: source.directory, home })),
  )
  const unique = [...new Set(files)].sort()
  return new Map(await Promise.all(unique.map(async (file) => [file, await readInside(file, worktree)] as const)))
}

async function readInside(file: string, worktree: string): Promise<FileReference> {
  const real = await realpath(file).catch(() => file)
  return isWithin(worktree, real) ? readReferenced(file, real) : { outside: real }
}

/** Text of a file for `{file:…}`. */
export async function readReferenced(name: string, file: string): Promise<Lookup> {
  try {
    return { text: (await readBoundedFile(file, maxBytes)).toString("utf8").trimEnd() }
  } catch (error) {
    return { problem: `{file:${name}}: ${file} ${unreadableReason(error)}` }
  }
}
