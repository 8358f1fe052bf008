import { createHash, randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { blobPath, wholeOf } from "@docket/core/blobs"
import { blobsContract } from "@docket/core/store/contract"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { createAwsSdkApi } from "./aws-sdk-api.ts"
import { readBlobAddress, type S3Settings } from "./blob-address.ts"
import type { S3Api } from "./s3-api.ts"
import { createS3Blobs } from "./s3-blobs.ts"
import { createS3miniApi } from "./s3mini-api.ts"
import { startS3 } from "./test/s3-server.ts"

const server = await startS3()
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  server.fault = null
  server.requests.length = 0
})

/** The least part that S3 takes, plus a little. */
const partBytes = 5 * 1024 * 1024 + 1
const never = new AbortController().signal

function miniOf(settings: S3Settings) {
  if (settings.keys === null) throw new Error("no keys")
  return createS3miniApi(settings, settings.keys)
}

const apis = { s3mini: async (settings: S3Settings) => miniOf(settings), "the AWS SDK": createAwsSdkApi }

describe.each(Object.entries(apis))("contents in S3 by %s", (_name, apiOf) => {
  blobsContract(async () => {
    process.env.AWS_ACCESS_KEY_ID = "S3RVER"
    process.env.AWS_SECRET_ACCESS_KEY = "S3RVER"
    const settings = server.settings()
    const api = await apiOf(settings)
    const blobs = createS3Blobs({ api, random: () => 0.5, partBytes, wait: async () => {} }, settings)
    return { blobs, large: partBytes, damage: (key, bytes) => api.put(settings.prefix + blobPath(key), bytes, never) }
  })
})

function opened(env?: Record<string, string>) {
  const settings = server.settings(env)
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  const api = miniOf(settings)
  const blobs = createS3Blobs({ api, random: () => 0.5, wait, silentMs: 300, partBytes }, settings)
  return { settings, api, blobs, waits }
}

const keyOf = (bytes: Uint8Array) => ({ tenant: "local", hash: createHash("sha256").update(bytes).digest("hex") })

function answer(response: ServerResponse, status: number, code: string): true {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`)
  return true
}

test("after an answer of 503 it asks again, later each time", async () => {
  const { blobs, waits } = opened()
  let left = 3
  server.fault = (_request, response) => left-- > 0 && answer(response, 503, "SlowDown")
  const bytes = Buffer.from("patience")
  await blobs.put(keyOf(bytes), { bytes })
  expect(waits).toEqual([200, 400, 800])
  expect(await blobs.head(keyOf(bytes))).toMatchObject({ size: bytes.length })
})

test("a store that stays away is said by its address", async () => {
  const { blobs, settings, waits } = opened()
  server.fault = (request) => {
    request.socket.destroy()
    return true
  }
  await expect(blobs.head(keyOf(Buffer.from("x")))).rejects.toMatchObject({
    code: "blobs_unavailable",
    message: expect.stringContaining(`s3://contents/${settings.prefix} does not work`),
  })
  expect(waits).toHaveLength(4)
})

test("a store that says nothing is given up", async () => {
  const { blobs } = opened()
  server.fault = () => true
  await expect(blobs.head(keyOf(Buffer.from("x")))).rejects.toMatchObject({
    message: expect.stringContaining("no answer in time"),
  })
  expect(server.requests).toHaveLength(5)
})

test.each([
  ["a wrong id", { AWS_ACCESS_KEY_ID: "NOBODY" }, "AWS_ACCESS_KEY_ID"],
  ["a bucket that is not there", { DOCKET_BLOBS: "s3://elsewhere" }, "Make the bucket"],
])("%s is refused at once, and says what to check", async (_name, env, advice) => {
  const { blobs, waits } = opened(env)
  const bytes = Buffer.from("secret")
  const error = await blobs.put(keyOf(bytes), { bytes }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: "blobs_unavailable", message: expect.stringContaining(advice) })
  expect(String(error)).not.toContain("WRONG")
  expect(waits).toEqual([])
})

test("a download that breaks off goes on where it stopped", async () => {
  const { blobs } = opened()
  const bytes = randomBytes(3_000_000)
  await blobs.put(keyOf(bytes), { bytes })
  server.requests.length = 0
  let breaks = 0
  server.fault = (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0)
    if (request.method !== "GET" || breaks === 3) return false
    breaks += 1
    const rest = bytes.subarray(from)
    const range = { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
    response.writeHead(from === 0 ? 200 : 206, { "content-length": rest.length, ...(from > 0 && range) })
    response.write(rest.subarray(0, 700_000), () => request.socket.destroy())
    return true
  }
  const pieces = await blobs.get(keyOf(bytes))
  expect(pieces && (await wholeOf(pieces)).equals(bytes)).toBe(true)
  expect(breaks).toBe(3)
  expect(server.requests.filter((line) => line.startsWith("GET"))).toHaveLength(4)
})

test("a download that falls silent goes on", async () => {
  const { blobs } = opened()
  const bytes = randomBytes(400_000)
  await blobs.put(keyOf(bytes), { bytes })
  let silent = 0
  server.fault = (request, response) => {
    if (request.method !== "GET" || silent === 1) return false
    silent += 1
    response.writeHead(200, { "content-length": bytes.length }).write(bytes.subarray(0, 1_000))
    return true
  }
  const pieces = await blobs.get(keyOf(bytes))
  expect(pieces && (await wholeOf(pieces)).equals(bytes)).toBe(true)
})

test("a part that is refused ends the upload, and nothing is there", async () => {
  const { blobs } = opened()
  const bytes = randomBytes(partBytes + 10)
  server.fault = (request, response) =>
    request.url?.includes("partNumber=2") === true && answer(response, 403, "AccessDenied")
  await expect(blobs.put(keyOf(bytes), { bytes })).rejects.toMatchObject({ code: "blobs_unavailable" })
  expect(server.requests.filter((line) => line.startsWith("DELETE"))).toHaveLength(1)
  server.fault = null
  expect(await blobs.head(keyOf(bytes))).toBeNull()
  expect(await allOf(blobs.list("local"))).toEqual([])
})

test("a wrong secret is refused, and is in no message", async () => {
  const { blobs } = opened({ AWS_SECRET_ACCESS_KEY: "WRONG" })
  server.fault = (_request, response) => answer(response, 403, "SignatureDoesNotMatch")
  const error = await blobs.head(keyOf(Buffer.from("x"))).catch(String)
  expect(error).toContain("Check AWS_SECRET_ACCESS_KEY")
  expect(error).not.toContain("WRONG")
})

test("more contents than one answer lists are all listed", async () => {
  const { settings, api } = opened()
  const hashes = ["1", "2", "3"].map((text) => keyOf(Buffer.from(text)).hash)
  const list: S3Api["list"] = async (prefix, after = "0") => ({
    objects: [{ key: `${prefix}aa/${hashes[Number(after)]}`, size: 1, written: 1 }],
    next: after === "2" ? null : String(Number(after) + 1),
  })
  const blobs = createS3Blobs({ api: { ...api, list }, random: () => 0.5 }, settings)
  expect((await allOf(blobs.list("local"))).map(({ hash }) => hash)).toEqual(hashes)
})

test("a caller that leaves ends the request, and no other is sent", async () => {
  const { blobs } = opened()
  const leaves = new AbortController()
  server.fault = () => {
    leaves.abort(new Error("left"))
    return true
  }
  await expect(blobs.head(keyOf(Buffer.from("x")), leaves.signal)).rejects.toThrow("left")
  expect(server.requests).toHaveLength(1)
})

test.each([
  [{ DOCKET_BLOBS: "https://bucket" }, "DOCKET_BLOBS has to be like s3://"],
  [{ DOCKET_BLOBS: "s3://key:secret@bucket" }, "without keys in it"],
  [{ DOCKET_BLOBS: "s3://Bucket" }, 'names the bucket "Bucket"'],
  [{ DOCKET_BLOBS: "s3://bucket/a b" }, "names the prefix"],
  [{ DOCKET_BLOBS: "s3://bucket" }, "needs AWS_REGION"],
  [{ DOCKET_BLOBS: "s3://bucket", AWS_ENDPOINT_URL_S3: "s3.example.org" }, "AWS_ENDPOINT_URL_S3 has to be like"],
  [{ DOCKET_BLOBS: "s3://bucket", AWS_REGION: "eu-1", AWS_ACCESS_KEY_ID: "a" }, "AWS_SECRET_ACCESS_KEY is not"],
  [{ DOCKET_BLOBS: "file://host/directory" }, "DOCKET_BLOBS has to be like"],
])("a setting that is wrong is named: %j", (env, message) => {
  expect(() => readBlobAddress(env)).toThrow(message)
})

test("settings name bucket, prefix and where requests go", () => {
  expect(readBlobAddress({})).toBeNull()
  expect(readBlobAddress({ DOCKET_BLOBS: "file:///srv/a%20b" })).toEqual({ kind: "files", directory: "/srv/a b" })
  expect(readBlobAddress({ DOCKET_BLOBS: "s3://bucket/team/docket/", AWS_REGION: "eu-1" })).toEqual({
    ...{ kind: "s3", bucket: "bucket", prefix: "team/docket/", endpoint: null, region: "eu-1" },
    ...{ pathStyle: false, keys: null },
  })
})

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
