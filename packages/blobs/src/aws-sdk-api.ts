import { DocketError } from "@docket/core"
import type { S3Settings } from "./blob-address.ts"
import { type S3Api, S3Refusal } from "./s3-api.ts"

type Sdk = typeof import("@aws-sdk/client-s3")
type SdkClient = InstanceType<Sdk["S3Client"]>

/**
 * Requests with keys that the AWS SDK finds and renews: of a role, a profile, or a sign-in.
 * @throws invalid_input when the SDK is not installed
 */
export async function createAwsSdkApi({ endpoint, region, pathStyle, bucket }: S3Settings): Promise<S3Api> {
  const sdk = await loadSdk()
  const client = new sdk.S3Client({
    ...(endpoint !== null && { endpoint: endpoint.origin }),
    ...{ region, forcePathStyle: pathStyle, maxAttempts: 1 },
    // Other services do not know the newer checksums.
    ...{ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" },
  })
  return apiOf(sdk, client, bucket)
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@aws-sdk/client-s3")
  } catch (cause) {
    const message =
      "DOCKET_BLOBS has no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY that do not expire. Set both, or install the AWS SDK, which finds other keys: npm install @aws-sdk/client-s3@3"
    throw new DocketError("invalid_input", message, { cause })
  }
}

function apiOf(sdk: Sdk, client: SdkClient, bucket: string): S3Api {
  const at = (key: string) => ({ Bucket: bucket, Key: key })
  return {
    put: (key, bytes, abortSignal) =>
      asked(
        async () => void (await client.send(new sdk.PutObjectCommand({ ...at(key), Body: bytes }), { abortSignal })),
      ),
    get: (key, { from, to }, abortSignal) =>
      orMissing(async () => {
        const range = from === 0 && to === undefined ? {} : { Range: `bytes=${from}-${to === undefined ? "" : to - 1}` }
        const found = await client.send(new sdk.GetObjectCommand({ ...at(key), ...range }), { abortSignal })
        const whole = found.ContentRange?.split("/")[1] ?? found.ContentLength
        // `as`: in Node, the body is a stream that can be iterated.
        return { size: Number(whole), pieces: found.Body as AsyncIterable<Uint8Array> }
      }),
    head: (key, abortSignal) =>
      orMissing(async () => {
        const found = await client.send(new sdk.HeadObjectCommand(at(key)), { abortSignal })
        return { size: found.ContentLength ?? 0, written: found.LastModified?.getTime() ?? 0 }
      }),
    delete: (key, abortSignal) =>
      asked(async () => void (await client.send(new sdk.DeleteObjectCommand(at(key)), { abortSignal }))),
    copy: async (from, to, abortSignal) => {
      const command = new sdk.CopyObjectCommand({ ...at(to), CopySource: encodeURI(`${bucket}/${from}`) })
      return (await orMissing(() => client.send(command, { abortSignal }))) !== null
    },
    list: (prefix, after, abortSignal) =>
      asked(async () => {
        const command = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: after })
        const page = await client.send(command, { abortSignal })
        const objects = (page.Contents ?? []).map(({ Key = "", Size = 0, LastModified }) => ({
          ...{ key: Key, size: Size },
          written: LastModified?.getTime() ?? 0,
        }))
        return { objects, next: page.NextContinuationToken ?? null }
      }),
    ...partsOf(sdk, client, at),
  }
}

function partsOf(
  sdk: Sdk,
  client: SdkClient,
  at: (key: string) => { Bucket: string; Key: string },
): Pick<S3Api, "beginParts" | "putPart" | "endParts" | "dropParts"> {
  return {
    beginParts: (key, abortSignal) =>
      asked(async () => {
        const begun = await client.send(new sdk.CreateMultipartUploadCommand(at(key)), { abortSignal })
        return begun.UploadId ?? ""
      }),
    putPart: (key, { upload, number, bytes }, abortSignal) =>
      asked(async () => {
        const part = { ...at(key), UploadId: upload, PartNumber: number, Body: bytes }
        return (await client.send(new sdk.UploadPartCommand(part), { abortSignal })).ETag ?? ""
      }),
    endParts: (key, upload, tags, abortSignal) =>
      asked(async () => {
        const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
        const end = { ...at(key), UploadId: upload, MultipartUpload: { Parts } }
        await client.send(new sdk.CompleteMultipartUploadCommand(end), { abortSignal })
      }),
    dropParts: (key, upload, abortSignal) =>
      asked(async () => {
        await client.send(new sdk.AbortMultipartUploadCommand({ ...at(key), UploadId: upload }), { abortSignal })
      }),
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { name, message, $metadata }: { name?: string; message?: string; $metadata?: { httpStatusCode?: number } } =
      Object(error)
    if (name === "CredentialsProviderError") throw new S3Refusal(403, `no keys: ${message}`, { cause: error })
    throw new S3Refusal($metadata?.httpStatusCode ?? 0, name ?? String(error), { cause: error })
  }
}

async function orMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await asked(ask)
  } catch (error) {
    if (error instanceof S3Refusal && error.status === 404 && error.word !== "NoSuchBucket") return null
    throw error
  }
}
