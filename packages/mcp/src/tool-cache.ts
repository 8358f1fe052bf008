import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import { ServerPrompt } from "./server-prompt.ts"
import { ServerTool } from "./server-tool.ts"

const Kept = z.object({
  version: z.literal(2),
  tools: z.array(ServerTool),
  prompts: z.array(ServerPrompt),
  hasResources: z.boolean(),
  instructions: z.string().nullable(),
})
/** What was last known of a server. */
export type KnownServer = Omit<z.infer<typeof Kept>, "version">

/** The last list of each configuration, in files, so that a server need not run before one of its tools is called. */
export interface ToolCache {
  /** Null where nothing is known, or what is there cannot be read. */
  read(digest: string): Promise<KnownServer | null>
  write(digest: string, known: KnownServer): Promise<void>
}

export function createToolCache(directory: string): ToolCache {
  const fileOf = (digest: string) => path.join(directory, `${digest}.json`)
  return {
    async read(digest) {
      try {
        const { version: _, ...known } = Kept.parse(JSON.parse(await readFile(fileOf(digest), "utf8")))
        return known
      } catch {
        return null
      }
    },
    async write(digest, known) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = fileOf(digest)
      const whole = `${file}.${randomUUID()}`
      await writeFile(whole, JSON.stringify({ version: 2, ...known }), { mode: 0o600 })
      await rename(whole, file)
    },
  }
}
