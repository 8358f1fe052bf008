import { S3mini } from "s3mini"
import { bucketAddress, type S3Settings } from "./blob-address.ts"
import { type S3Api, type S3Body, S3Refusal } from "./s3-api.ts"

/** Requests with keys that do not expire, by s3mini. */
export function createS3miniApi(settings: S3Settings, keys: NonNullable<S3Settings["keys"]>): S3Api {
  /** Its methods take no signals: a client for each request is an object without connections. */
  const client = (signal: AbortSignal) =>
    new S3mini({
      accessKeyId: keys.id,
      secretAccessKey: keys.secret,
      endpoint: bucketAddress(settings),
      region: settings.region,
      fetch: (input, init) => fetch(input, { ...init, signal }),
    })
  return {
    put: (key, bytes, signal) => asked(async () => void (await drain(await client(signal).putObject(key, bytes)))),
    get: (key, { from, to }, signal) =>
      orMissing(async () => bodyOf(await client(signal).getObjectRaw(key, from === 0 && to === undefined, from, to))),
    head: (key, signal) =>
      orMissing(async () => {
        // Its own calls for facts give one fact each.
        const response = await client(signal).getObjectRaw(key, false, 0, 1).catch(emptyObject)
        if (response === null) return { size: 0, written: 0 }
        await drain(response)
        return { size: sizeOf(response), written: Date.parse(response.headers.get("last-modified") ?? "") }
      }),
    delete: (key, signal) => asked(async () => void (await client(signal).deleteObject(key))),
    copy: async (from, to, signal) =>
      (await orMissing(() => {
        // Its own form of the name has escaped slashes, which not every service takes. Nothing in ours needs escaping.
        const additionalHeaders = { "x-amz-copy-source": `/${settings.bucket}/${from}` }
        return client(signal).copyObject(from, to, { additionalHeaders })
      })) !== null,
    list: (prefix, after, signal) =>
      asked(async () => {
        const page = await client(signal).listObjectsPaged("/", prefix, 1_000, after)
        if (page === null || page === undefined) throw new S3Refusal(404, "NoSuchBucket")
        const objects = (page.objects ?? []).map(({ Key, Size, LastModified }) => ({
          ...{ key: Key, size: Number(Size) },
          written: new Date(LastModified).getTime(),
        }))
        return { objects, next: page.nextContinuationToken ?? null }
      }),
    beginParts: (key, signal) => asked(() => client(signal).getMultipartUploadId(key)),
    putPart: (key, { upload, number, bytes }, signal) =>
      asked(async () => (await client(signal).uploadPart(key, upload, bytes, number)).etag),
    endParts: (key, upload, tags, signal) =>
      asked(async () => {
        const parts = tags.map((etag, index) => ({ partNumber: index + 1, etag }))
        const result = await client(signal).completeMultipartUpload(key, upload, parts)
        // The service may fail after it has answered 200.
        if (!result.etag) throw new S3Refusal(500, "InternalError")
      }),
    dropParts: (key, upload, signal) =>
      asked(async () => void (await client(signal).abortMultipartUpload(key, upload))),
  }
}

async function drain(response: Response): Promise<void> {
  await response.body?.cancel()
}

function bodyOf(response: Response): S3Body {
  // `as`: the body of `fetch` is one that can be iterated.
  const pieces = (response.body ?? new ReadableStream<Uint8Array>()) as AsyncIterable<Uint8Array>
  return { size: sizeOf(response), pieces }
}

/** Bytes of the whole object, also in the answer to a range. */
function sizeOf({ headers }: Response): number {
  const [, whole] = (headers.get("content-range") ?? "").split("/")
  return Number(whole ?? headers.get("content-length"))
}

/** No range of an empty object can be satisfied. */
function emptyObject(error: unknown): null {
  if (refusalOf(error).status === 416) return null
  throw error
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw refusalOf(error)
  }
}

async function orMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await asked(ask)
  } catch (error) {
    // A bucket that is not there is another matter.
    if (error instanceof S3Refusal && error.status === 404 && error.word !== "NoSuchBucket") return null
    throw error
  }
}

function refusalOf(error: unknown): S3Refusal {
  if (error instanceof S3Refusal) return error
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { status, serviceCode }: { status?: unknown; serviceCode?: unknown } = Object(cause)
    if (typeof status === "number" && status > 0) {
      const word = typeof serviceCode === "string" && serviceCode !== "Unknown" ? serviceCode : wordOf(cause)
      return new S3Refusal(status, word, { cause: error })
    }
  }
  return new S3Refusal(0, reasonOf(error), { cause: error })
}

/** s3mini reads the word only from answers with one content type. */
function wordOf(error: object): string {
  const { body }: { body?: unknown } = Object(error)
  return (typeof body === "string" ? /<Code>(\w+)<\/Code>/.exec(body)?.[1] : undefined) ?? "refused"
}

function reasonOf(error: unknown): string {
  let reason = String(error)
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code }: { code?: unknown } = Object(cause)
    reason = typeof code === "string" ? code : cause.message
  }
  return reason
}
