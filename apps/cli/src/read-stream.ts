/** All of a stream; null where it has more than `most` bytes: the rest is not read. */
export async function readStream(stream: AsyncIterable<Uint8Array | string>, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let read = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    read += bytes.length
    if (read > most) return null
  }
  return Buffer.concat(chunks)
}
