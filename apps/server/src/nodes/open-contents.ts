import type { BlobEnvironment } from "@docket/blobs"
import type { Blobs } from "@docket/core/blobs"

/**
 * Opens the store in which nodes keep contents for each other; null where each host keeps its own. One that does not answer
 * now is reported, because it may come back.
 * @throws invalid_input for wrong settings; blobs_unavailable when the store refuses this node
 */
export async function openContents(env: BlobEnvironment, report: (phase: string) => void): Promise<Blobs | null> {
  if (env.DOCKET_BLOBS === undefined) return null
  const { checkBlobs, openBlobs, readBlobAddress } = await import("@docket/blobs")
  const settings = readBlobAddress(env)
  if (settings === null) return null
  const blobs = await openBlobs(settings)
  report(`contents: ${blobs.address}`)
  const away = await checkBlobs(blobs, settings)
  if (away !== null) report(`contents wait on this host: ${away}`)
  return blobs
}
