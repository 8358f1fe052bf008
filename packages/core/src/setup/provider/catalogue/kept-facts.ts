import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { readBoundedFile, unreadableReason } from "../../../ground/file/read-bounded-file.ts"
import { KeptProvider } from "../../../ground/schema/index.ts"
import { catalogueBytes } from "./read-models-dev.ts"

const Kept = z.object({ from: z.string(), refreshedAt: z.number(), providers: z.array(KeptProvider) })
export type KeptCatalogue = z.infer<typeof Kept>

/** The copy of a catalogue, or why it cannot be used. Both null: there is none. */
export interface FoundCopy {
  catalogue: KeptCatalogue | null
  problem: string | null
}

/** Facts may take more room than the file that they were read from. */
const fileLimit = 4 * catalogueBytes

/** The refreshed copy of a catalogue, in `<dataDirectory>/models.json`. */
export async function readKept(dataDirectory: string): Promise<FoundCopy> {
  const file = fileIn(dataDirectory)
  let text: string
  try {
    text = (await readBoundedFile(file, fileLimit)).toString("utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { catalogue: null, problem: null }
    return { catalogue: null, problem: `${file} ${unreadableReason(error)}; what it said of models is not used.` }
  }
  try {
    return { catalogue: Kept.parse(JSON.parse(text)), problem: null }
  } catch {
    return { catalogue: null, problem: `${file} is damaged and not used; refresh the models once more.` }
  }
}

/** Replaces the copy as a whole, or not at all. */
export async function writeKept(dataDirectory: string, catalogue: KeptCatalogue): Promise<void> {
  const file = fileIn(dataDirectory)
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await using handle = await open(temporary, "w", 0o600)
    await handle.writeFile(JSON.stringify(catalogue))
    await handle.sync()
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const fileIn = (dataDirectory: string) => join(dataDirectory, "models.json")
