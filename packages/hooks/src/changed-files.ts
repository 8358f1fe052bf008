import { stat } from "node:fs/promises"
import path from "node:path"
import type { ExtensionText } from "@docket/core/extension-text"
import type { ClaudeCall } from "./claude-call.ts"

/** Tools of Claude Code that write the file which they name. */
const writers: readonly string[] = ["Edit", "MultiEdit", "Write"]

/** Looks at the files that calls wrote, and again after hooks ran. */
export async function watchWritten(
  calls: readonly ClaudeCall[],
  directory: string,
): Promise<() => Promise<ExtensionText[]>> {
  const files = new Set(
    calls.flatMap(({ names, input }) =>
      writers.includes(names[0]) && typeof input.file_path === "string" ? [input.file_path] : [],
    ),
  )
  const look = () => Promise.all([...files].map(async (file) => [file, await stampOf(file)] as const))
  const before = new Map(await look())
  return async () => {
    const changed = (await look()).flatMap(([file, stamp]) =>
      before.get(file) === stamp ? [] : [path.relative(directory, file)],
    )
    if (changed.length === 0) return []
    // An edit from memory would be refused.
    return [{ from: "Docket", text: `Hooks changed ${changed.join(", ")}. Read it again before you edit it.` }]
  }
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null)
  return found === null ? "" : `${found.ino} ${found.size} ${found.mtimeNs}`
}
