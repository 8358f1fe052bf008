import type { ShareBatch, ShareEvent } from "../share-service.ts"

/** The events of a stream, one after another. */
export async function* eachEvent(stream: AsyncIterable<ShareBatch>): AsyncGenerator<ShareEvent> {
  for await (const batch of stream) yield* batch
}
