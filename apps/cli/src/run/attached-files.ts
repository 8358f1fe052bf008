import path from "node:path"
import { readBoundedFile, unreadableReason } from "@docket/core/file"
import type { PromptPart } from "@docket/core/schema"
import { UsageError } from "../usage-error.ts"

/** The most bytes of all files of a prompt, as in the composer: a prompt is one request. */
const maxBytes = 2 * 1024 * 1024

/** Files of this machine as parts of a prompt. The service sees by their content what they are. @throws UsageError */
export async function attachedFiles(names: readonly string[]): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  let room = maxBytes
  for (const name of names) {
    const bytes = await readBoundedFile(name, room).catch((cause: unknown) => {
      const words = `${name} cannot be attached: it ${unreadableReason(cause)}`
      throw new UsageError(`${words}. Files of a prompt have at most 2 MiB together`, { cause })
    })
    room -= bytes.length
    const mime = "application/octet-stream"
    const url = `data:${mime};base64,${bytes.toString("base64")}`
    parts.push({ type: "file", mime, url, filename: path.basename(name) })
  }
  return parts
}
