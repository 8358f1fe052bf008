import { chmod, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"

/** A secret that signs until a time (epoch ms), or until another one replaces it. */
const SecretFile = z.array(z.object({ secret: z.string().startsWith("whsec_"), until: z.number().nullable() })).max(10)
export type StoredSecrets = z.infer<typeof SecretFile>

/** The secrets of webhooks, stored apart from their rows, so that the database alone is not enough to sign. */
export interface WebhookSecrets {
  /** Empty when they are lost, for example after a restore without keys. */
  get(id: string): Promise<StoredSecrets>
  put(id: string, secrets: StoredSecrets): Promise<void>
  remove(id: string): Promise<void>
}

/** Most bytes of a file that are read. */
const fileLimit = 8_192

/** One file per webhook in `directory`, readable by its owner only and replaced atomically. */
export function createWebhookSecrets(directory: string): WebhookSecrets {
  const fileOf = (id: string) => join(directory, `${id}.json`)
  return {
    async get(id) {
      try {
        return SecretFile.parse(JSON.parse((await readBoundedFile(fileOf(id), fileLimit)).toString("utf8")))
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
