import { chmod, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"

/** A secret that signs until a time (epoch ms), or for as long as no other takes its place. */
const Kept = z.array(z.object({ secret: z.string().startsWith("whsec_"), until: z.number().nullable() })).max(10)
export type KeptSecrets = z.infer<typeof Kept>

/** The secrets of webhooks, apart from their rows: whoever has only the database can sign nothing. */
export interface WebhookSecrets {
  /** Empty when they are lost, as after a restore without keys. */
  get(id: string): Promise<KeptSecrets>
  put(id: string, secrets: KeptSecrets): Promise<void>
  remove(id: string): Promise<void>
}

const fileLimit = 8_192

/** One file for each webhook in `directory`, readable by its owner only, replaced in one step. */
export function createWebhookSecrets(directory: string): WebhookSecrets {
  const fileOf = (id: string) => join(directory, `${id}.json`)
  return {
    async get(id) {
      try {
        return Kept.parse(JSON.parse((await readBoundedFile(fileOf(id), fileLimit)).toString("utf8")))
      } catch {
        return []
      }
    },
    async put(id, secrets) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const temporary = `${fileOf(id)}.${process.pid}.tmp`
      try {
        await using handle = await open(temporary, "w", 0o600)
        await handle.writeFile(`${JSON.stringify(secrets)}\n`)
        await handle.sync()
        await chmod(temporary, 0o600)
        await rename(temporary, fileOf(id))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    remove: (id) => rm(fileOf(id), { force: true }),
  }
}
