import path from "node:path"
import { readBoundedFile, unreadableReason } from "@docket/core/file"
import { catalogueBytes, shortenModelsDev } from "@docket/core/models-file"
import { readStream } from "../read-stream.ts"
import { UsageError } from "../usage-error.ts"

/** The text of a catalogue to send: without what the service does not read. @throws UsageError */
export async function readModelsFile(
  file: string,
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<{ name: string; text: string }> {
  const bytes = file === "-" ? await readAll(stdin) : await readFile(file)
  try {
    return { name: file === "-" ? "stdin" : path.resolve(file), text: shortenModelsDev(bytes.toString("utf8")) }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function readFile(file: string): Promise<Buffer> {
  try {
    return await readBoundedFile(file, catalogueBytes)
  } catch (error) {
    throw new UsageError(`${file} ${unreadableReason(error)}`)
  }
}

async function readAll(stdin: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const bytes = await readStream(stdin, catalogueBytes)
  if (bytes === null) throw new UsageError(`stdin is larger than ${catalogueBytes} bytes, the most that is read`)
  return bytes
}
