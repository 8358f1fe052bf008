import { createReadStream } from "node:fs"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { createGunzip } from "node:zlib"
import { unreadableReason } from "@docket/core/file"
import { extract } from "tar-stream"
import { z } from "zod"
import { UsageError } from "../usage-error.ts"

const Manifest = z.object({ name: z.literal("docket"), version: z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/) })

/** Bytes. */
const mostManifest = 64 * 1024

/**
 * The version of Docket that a tarball holds.
 * @param file absolute
 * @throws UsageError for anything but a package of Docket
 */
export async function versionIn(file: string): Promise<string> {
  const manifest = await readManifest(file).catch((cause: unknown) => {
    if (cause instanceof UsageError) throw cause
    const isOfSystem = cause instanceof Error && "syscall" in cause
    throw new UsageError(isOfSystem ? `${file} ${unreadableReason(cause)}` : notPackage(file), { cause })
  })
  const parsed = Manifest.safeParse(manifest)
  if (parsed.success) return parsed.data.version
  throw new UsageError(notPackage(file))
}

const notPackage = (file: string) => `${file} is no package of Docket. Name a file like docket-1.2.3.tgz.`

async function readManifest(file: string): Promise<unknown> {
  const entries = extract()
  const source = createReadStream(file)
  source.on("error", (error) => entries.destroy(error))
  const unpacked = source.pipe(createGunzip()).on("error", (error) => entries.destroy(error))
  unpacked.pipe(entries)
  try {
    for await (const entry of entries) {
      const { name, size = 0 } = entry.header
      if (name !== "package/package.json") {
        entry.resume()
        continue
      }
      if (size > mostManifest) throw new UsageError(`${file} has a package.json of ${size} bytes.`)
      return JSON.parse(await text(Readable.from(entry)))
    }
    return null
  } finally {
    source.destroy()
    unpacked.destroy()
    entries.destroy()
  }
}
