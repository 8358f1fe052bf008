import { randomInt } from "node:crypto"
import { stat } from "node:fs/promises"
import { DocketError } from "@docket/core"
import type { Blobs } from "@docket/core/blobs"
import type { BlobSettings, S3Settings } from "./blob-address.ts"
import { isPassing, S3Refusal } from "./s3-api.ts"
import { createS3Blobs } from "./s3-blobs.ts"

const random = () => randomInt(2 ** 32) / 2 ** 32

/** Opens a store of contents. Nothing is asked of it yet. @throws invalid_input when the AWS SDK is needed and missing */
export async function openBlobs(settings: BlobSettings): Promise<Blobs> {
  if (settings.kind === "s3") return createS3Blobs({ api: await apiFor(settings), random }, settings)
  const { createFileBlobs } = await import("@docket/core/blobs")
  return createFileBlobs(settings.directory)
}

async function apiFor(settings: S3Settings) {
  const { keys } = settings
  if (keys !== null) return (await import("./s3mini-api.ts")).createS3miniApi(settings, keys)
  return (await import("./aws-sdk-api.ts")).createAwsSdkApi(settings)
}

/**
 * Asks the store for what no tenant has, so that a wrong address or key is noticed at the start. @returns why it does not
 * answer now, or null
 * @throws blobs_unavailable when it refuses; invalid_input for a directory that is not there
 */
export async function checkBlobs(blobs: Blobs, settings: BlobSettings): Promise<string | null> {
  if (settings.kind === "files" && !(await isDirectory(settings.directory))) {
    const message = `DOCKET_BLOBS names the directory ${settings.directory}, which is not there. Mount or make it on each host.`
    throw new DocketError("invalid_input", message)
  }
  try {
    for await (const _ of blobs.list("docket-check")) break
    return null
  } catch (error) {
    if (error instanceof DocketError && error.cause instanceof S3Refusal && isPassing(error.cause)) return error.message
    throw error
  }
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
}
